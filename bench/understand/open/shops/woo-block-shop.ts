// A WordPress shop: a reduced price in <del> and <ins>, hidden words for screen readers, a meta line, attributes in a table.
import { anyOf, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    name: 'Linen Apron, Moss',
    was: 48,
    now: 36,
    sku: 'APR-LN-07',
    cat: 'Kitchen',
    stock: 14,
    votes: 23,
    stars: 4.65,
    weight: '0.4 kg',
  },
  {
    name: 'Oak Chopping Board',
    was: 75,
    now: 59.5,
    sku: 'BRD-OK-31',
    cat: 'Boards',
    stock: 3,
    votes: 8,
    stars: 5,
    weight: '2.1 kg',
  },
];

export const wooBlockShop = pagesOf({
  kind: 'shop',
  name: 'woo-block-shop',
  items: ITEMS,
  url: ({ name }) => `https://hearthandhand.example/product/${slug(name)}/`,
  schema: {
    type: 'object',
    properties: {
      product_name: { type: 'string' },
      sale_price: { type: 'number', description: 'The price the customer pays now' },
      regular_price: { type: 'number', description: 'The price before the discount' },
      sku: { type: 'string' },
      category: { type: 'string' },
      stock_quantity: { type: 'integer', description: 'How many pieces are left' },
      average_rating: { type: 'number' },
      review_count: { type: 'integer' },
      weight: { type: 'string' },
      currency: { type: 'string', enum: ['USD', 'EUR', 'GBP'] },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="en-GB"><head><title>${item.name} - Hearth &amp; Hand</title></head><body class="single-product woocommerce">
<header class="site-header"><a href="/" class="custom-logo-link">Hearth &amp; Hand</a><a class="cart-contents" href="/cart/"><span class="woocommerce-Price-amount amount">£0.00</span> <span class="count">0 items</span></a></header>
<nav class="woocommerce-breadcrumb"><a href="/">Home</a> / <a href="/product-category/${slug(item.cat)}/">${item.cat}</a> / ${item.name}</nav>
<div id="product-812" class="product type-product"><span class="onsale">Sale!</span><div class="woocommerce-product-gallery"><img src="/wp-content/uploads/1.jpg" alt=""></div>
<div class="summary entry-summary"><h1 class="product_title entry-title">${item.name}</h1>
<div class="woocommerce-product-rating"><div class="star-rating" role="img" aria-label="Rated ${item.stars.toFixed(2)} out of 5"><span style="width:93%">Rated <strong class="rating">${item.stars.toFixed(2)}</strong> out of 5 based on <span class="rating">${item.votes}</span> customer ratings</span></div> <a href="#reviews" class="woocommerce-review-link">(<span class="count">${item.votes}</span> customer reviews)</a></div>
<p class="price"><del aria-hidden="true"><span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">£</span>${item.was.toFixed(2)}</bdi></span></del> <span class="screen-reader-text">Original price was: £${item.was.toFixed(2)}.</span><ins aria-hidden="true"><span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">£</span>${item.now.toFixed(2)}</bdi></span></ins><span class="screen-reader-text">Current price is: £${item.now.toFixed(2)}.</span></p>
<div class="woocommerce-product-details__short-description"><p>Made to order in our workshop, washed and ready to use from the first day.</p></div>
<p class="stock in-stock">${item.stock} in stock</p><form class="cart"><label>Quantity</label><input type="number" value="1"><button type="submit">Add to basket</button></form>
<div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">${item.sku}</span></span> <span class="posted_in">Category: <a href="/product-category/${slug(item.cat)}/" rel="tag">${item.cat}</a></span> <span class="tagged_as">Tags: <a rel="tag" href="/t/gift/">gift</a>, <a rel="tag" href="/t/home/">home</a></span></div></div>
<table class="woocommerce-product-attributes shop_attributes"><tr class="woocommerce-product-attributes-item"><th>Weight</th><td>${item.weight}</td></tr><tr><th>Dimensions</th><td>30 × 20 × 2 cm</td></tr></table>
<section class="related products"><h2>Related products</h2><ul class="products"><li class="product"><h2>Tea Towel</h2><span class="price">£12.00</span></li><li class="product"><h2>Oven Glove</h2><span class="price">£18.00</span></li></ul></section></div></body></html>`,
  expected: (item) => ({
    product_name: item.name,
    sale_price: item.now,
    regular_price: item.was,
    sku: item.sku,
    category: item.cat,
    stock_quantity: item.stock,
    average_rating: item.stars,
    review_count: item.votes,
    weight: item.weight,
    currency: anyOf('GBP'),
  }),
});
