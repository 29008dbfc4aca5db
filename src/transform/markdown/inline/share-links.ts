// Addresses that lead to no document but open a messenger or a form for sharing the page.

// Apps that are called with a text or an address to share. Other unknown schemes stay: they may be documents.
const APP =
  /^(?:whatsapp|viber|tg|telegram|fb|fb-messenger|messenger|twitter|weixin|wechat|line|kakaolink|kakaotalk|skype|sms|intent|instagram|snapchat|threema|zalo|vkontakte|pinterest|linkedin|reddit|tumblr|flipboard|comgooglemaps|sharer?):/i;
const SHARED_MAIL = /^mailto:\?/i;
const HOSTED = new RegExp(
  `^https?://(?:[\\w-]{1,20}\\.){0,2}(?:${[
    'facebook\\.com/(?:sharer|share|dialog/(?:share|feed|send))',
    '(?:twitter|x)\\.com/(?:share|intent/(?:tweet|post)|home\\?status)',
    'linkedin\\.com/(?:sharearticle|sharing|cws/share|feed/\\?shareactive)',
    'pinterest\\.[a-z.]{2,6}/pin/create',
    'reddit\\.com/submit',
    '(?:t|telegram)\\.me/share',
    'whatsapp\\.com/send\\?(?:text|url)',
    'wa\\.me/\\?',
    'tumblr\\.com/(?:share|widgets/share)',
    'plus\\.google\\.com/share',
    '(?:vk|vkontakte)\\.(?:com|ru)/share',
    '(?:ok|odnoklassniki)\\.ru/(?:offer|dk\\?.*share)',
    'getpocket\\.com/(?:save|edit)',
    'instapaper\\.com/(?:hello2|edit)',
    'news\\.ycombinator\\.com/submitlink',
    'bufferapp\\.com/add|buffer\\.com/add',
    'bsky\\.app/intent',
    'threads\\.net/intent|threads\\.com/intent',
    'xing\\.com/(?:spi/shares|social_plugins/share|app/user\\?op=share)',
    'line\\.me/(?:R/msg|lineit/share)|social-plugins\\.line\\.me/lineit',
    'b\\.hatena\\.ne\\.jp/(?:add|entry/panel)',
    'digg\\.com/submit',
    'stumbleupon\\.com/submit',
    'delicious\\.com/(?:save|post)',
    'mix\\.com/add',
    'flipboard\\.com/bookmarklet',
    'share\\.flipboard\\.com',
    'weibo\\.com/share',
    'qzone\\.qq\\.com/.*share',
    'addtoany\\.com/(?:share|add_to)',
    'addthis\\.com/(?:bookmark|offer)',
  ].join('|')})`,
  'i',
);

export function isShareTarget(url: string): boolean {
  return url.startsWith('http') ? HOSTED.test(url) : APP.test(url) || SHARED_MAIL.test(url);
}
