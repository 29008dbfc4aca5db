// A Chinese news site: a line with time, source and author, full-width punctuation, a list of hot topics.
import { anyOf, pagesOf } from '../../labelled-page.ts';

const ITEMS = [
  {
    id: 'c9001',
    title: '城市公园夜间照明改造完成',
    date: '2026年3月3日',
    time: '14:05',
    iso: '2026-03-03T14:05',
    source: '晨光日报',
    author: '李明远',
    keywords: ['公园', '照明'],
    text: '记者从市园林局了解到，全市二十八座公园的夜间照明改造工程已全部完成。',
  },
  {
    id: 'c9032',
    title: '高校团队研制出新型电池材料',
    date: '2025年11月20日',
    time: '09:30',
    iso: '2025-11-20T09:30',
    source: '科技观察',
    author: '王思齐',
    keywords: ['电池', '材料', '科研'],
    text: '该材料在零下四十度的环境中仍能保持九成以上的容量。',
  },
  {
    id: 'c9077',
    title: '老城区旧书市场重新开放',
    date: '2026年1月8日',
    time: '18:22',
    iso: '2026-01-08T18:22',
    source: '文化周刊',
    author: '陈雨',
    keywords: ['旧书', '市场'],
    text: '停业一年之后，这座有四十年历史的旧书市场再次迎来读者。',
  },
  {
    id: 'c9104',
    title: '春运期间铁路发送旅客创新高',
    date: '2026年2月25日',
    time: '07:00',
    iso: '2026-02-25T07:00',
    source: '交通在线',
    author: '赵鹏',
    keywords: ['春运', '铁路'],
    text: '四十天内全国铁路共发送旅客五亿人次。',
  },
  {
    id: 'c9188',
    title: '社区食堂让老人吃上热饭',
    date: '2025年9月30日',
    time: '11:48',
    iso: '2025-09-30T11:48',
    source: '晨光日报',
    author: '孙晓梅',
    keywords: ['社区', '养老'],
    text: '一份两荤两素的午餐只需十二元，送餐上门不另收费。',
  },
];

export const chineseNews = pagesOf({
  kind: 'article',
  name: 'chinese-news',
  items: ITEMS,
  url: ({ id }) => `https://chenguang.example/news/${id}.shtml`,
  schema: {
    type: 'object',
    properties: {
      标题: { type: 'string' },
      发布时间: { type: 'string', format: 'date-time' },
      来源: { type: 'string' },
      作者: { type: 'string' },
      关键词: { type: 'array', items: { type: 'string' } },
      责任编辑: { type: 'string' },
    },
    required: ['标题'],
  },
  html: (
    item,
  ) => `<!DOCTYPE html><html lang="zh-CN"><head><meta charset="utf-8"><title>${item.title}_晨光网</title><meta name="keywords" content="${item.keywords.join(',')}"></head><body><div class="nav"><a href="/">首页</a><a href="/gn">国内</a><a href="/gj">国际</a><a href="/ty">体育</a></div>
<div class="main"><h1>${item.title}</h1><div class="info"><span>${item.date} ${item.time}</span><span>来源：${item.source}</span><span>作者：${item.author}</span><span>字号：大 中 小</span></div>
<div class="text"><p>　　${item.text}</p><p>　　不少市民表示，这项工作与日常生活息息相关，希望今后能继续听取大家的意见。有关部门负责人说，下一步将根据反馈进行调整，并定期向社会公布进展情况。</p><p>　　专家认为，类似的做法值得在其他地方推广，但要因地制宜，不能一哄而上。</p></div><div class="editor">（责任编辑：周舟）</div></div>
<div class="hot"><h3>热点排行</h3><ol><li><a href="/1">今日天气</a></li><li><a href="/2">油价调整</a></li></ol></div></body></html>`,
  expected: (item) => ({
    标题: item.title,
    发布时间: anyOf(item.iso, `${item.date} ${item.time}`),
    来源: item.source,
    作者: item.author,
    关键词: item.keywords,
    责任编辑: '周舟',
  }),
});
