// The open half of the labelled corpus: pages to look at while the extractor is written.
import { bareByline } from './articles/bare-byline.ts';
import { blogEnEspanol } from './articles/blog-en-espanol.ts';
import { metaOnlyMagazin } from './articles/meta-only-magazin.ts';
import { newspaperGraph } from './articles/newspaper-graph.ts';
import { concertJsonLd } from './events/concert-json-ld.ts';
import { gigPoster } from './events/gig-poster.ts';
import { vereinTermin } from './events/verein-termin.ts';
import { cardGrid } from './listings/card-grid.ts';
import { homesItemList } from './listings/homes-item-list.ts';
import { pressReleases } from './listings/press-releases.ts';
import { stellenTabelle } from './listings/stellen-tabelle.ts';
import { foodBlogJsonLd } from './recipes/food-blog-json-ld.ts';
import { recetteMicrodata } from './recipes/recette-microdata.ts';
import { villageCookbook } from './recipes/village-cookbook.ts';
import { boutiqueMicrodata } from './shops/boutique-microdata.ts';
import { graphShop } from './shops/graph-shop.ts';
import { kaputtesJsonShop } from './shops/kaputtes-json-shop.ts';
import { nihonNextShop } from './shops/nihon-next-shop.ts';
import { potteryProse } from './shops/pottery-prose.ts';
import { specTableStore } from './shops/spec-table-store.ts';

export const openPages = [
  ...[graphShop, kaputtesJsonShop, boutiqueMicrodata, specTableStore, potteryProse, nihonNextShop],
  ...[newspaperGraph, bareByline, metaOnlyMagazin, blogEnEspanol],
  ...[concertJsonLd, vereinTermin, gigPoster],
  ...[foodBlogJsonLd, recetteMicrodata, villageCookbook],
  ...[cardGrid, stellenTabelle, homesItemList, pressReleases],
].flat();
