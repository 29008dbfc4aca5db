// A Japanese shop rendered from embedded state, with Open Graph price tags and full-width punctuation.
import { anyOf, pagesOf } from '../../labelled-page.ts';

const ITEMS = [
  {
    id: 'a1042',
    name: '手織りリネンクロス',
    brand: '木綿堂',
    price: 4180,
    color: '生成り',
    size: '45×60cm',
    stock: true,
    origin: '日本製',
    text: '使うほどにやわらかくなる麻の布です。食器拭きにもお弁当包みにもお使いいただけます。',
  },
  {
    id: 'a1077',
    name: '南部鉄器 急須 小',
    brand: '盛岡工房',
    price: 12800,
    color: '黒',
    size: '直径14cm',
    stock: true,
    origin: '日本製',
    text: '一人分のお茶にちょうどよい大きさの急須です。内側は琺瑯仕上げで錆びにくくなっています。',
  },
  {
    id: 'b0031',
    name: '檜のまな板',
    brand: '吉野木工',
    price: 6600,
    color: '無塗装',
    size: '36×22cm',
    stock: false,
    origin: '日本製',
    text: '水切れがよく、刃あたりのやさしいまな板です。定期的に削り直しも承ります。',
  },
  {
    id: 'b0090',
    name: 'ウールブランケット',
    brand: 'Nordhav',
    price: 21450,
    color: 'グレー',
    size: '130×180cm',
    stock: true,
    origin: 'ノルウェー製',
    text: '北欧の羊毛を使った厚手のブランケットです。冬の夜もしっかり暖まります。',
  },
  {
    id: 'c0202',
    name: '真鍮の栓抜き',
    brand: '能作屋',
    price: 3300,
    color: 'ゴールド',
    size: '長さ9cm',
    stock: false,
    origin: '日本製',
    text: '手になじむ重さの栓抜きです。使い込むと色が深まります。',
  },
];

export const nihonNextShop = pagesOf({
  kind: 'shop',
  name: 'nihon-next-shop',
  items: ITEMS,
  url: ({ id }) => `https://kurashi-no-mise.example/items/${id}`,
  schema: {
    type: 'object',
    properties: {
      商品名: { type: 'string' },
      価格: { type: 'number', description: '税込価格（円）' },
      通貨: { type: 'string' },
      ブランド: { type: 'string' },
      カラー: { type: 'string' },
      サイズ: { type: 'string' },
      在庫あり: { type: 'boolean' },
      説明: { type: 'string', description: '商品の説明文' },
    },
    required: ['商品名', '価格'],
  },
  html: (item) => `<!DOCTYPE html><html lang="ja"><head><meta charSet="utf-8"/><title>${item.name}｜暮らしの店</title>
<meta property="og:type" content="product"/><meta property="og:title" content="${item.name}"/><meta property="product:price:amount" content="${item.price}"/><meta property="product:price:currency" content="JPY"/><meta property="og:description" content="${item.text}"/></head>
<body><div id="__next"><header class="Header_root__a1"><a href="/">暮らしの店</a><a href="/cart">カート</a><a href="/login">ログイン</a></header>
<main><div class="Item_root__x9"><h1 class="Item_name__Zk">${item.name}</h1><p class="Item_price__Qe">¥${item.price.toLocaleString('en-US')}<small>（税込）</small></p>
<p class="Item_stock__p0">${item.stock ? '在庫あり' : '在庫なし'}</p><div class="Item_text__ww"><p>${item.text}</p></div>
<ul class="Item_spec__ee"><li>ブランド：${item.brand}</li><li>カラー：${item.color}</li><li>サイズ：${item.size}</li><li>原産国：${item.origin}</li></ul>
<p>11,000円以上のお買い上げで送料無料</p></div></main><footer>© 暮らしの店</footer></div>
<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({
    props: {
      pageProps: {
        item: {
          id: item.id,
          title: item.name,
          price: item.price,
          taxIncluded: true,
          brandName: item.brand,
          variants: [{ color: item.color, size: item.size, inStock: item.stock }],
        },
        recommended: [{ id: 'z1', title: '竹の箸', price: 880 }],
      },
    },
    page: '/items/[id]',
    buildId: 'k2j4',
  })}</script></body></html>`,
  expected: (item) => ({
    商品名: item.name,
    価格: item.price,
    通貨: anyOf('JPY', '円', '¥'),
    ブランド: item.brand,
    カラー: item.color,
    サイズ: item.size,
    在庫あり: item.stock,
    説明: item.text,
  }),
});
