// Yes and no as pages say them.

const NO =
  /out\s?of\s?stock|sold\s?out|unavailable|not\s(?:available|in\sstock)|discontinued|no\slonger|ausverkauft|vergriffen|nicht\s(?:verfügbar|lieferbar|auf\slager|vorrätig)|épuisé|rupture|indisponible|non\sdisponible|agotado|no\sdisponible|sin\sstock|esaurito|uitverkocht|在庫なし|売り切れ|品切れ|^(?:no|nein|non|false|0|✗|✘|×)$|preorder|pre-order|backorder|offlineevent/i;
const YES =
  /in\s?stock|available|instoreonly|onlineonly|limited\s?availability|auf\slager|lieferbar|verfügbar|vorrätig|en\sstock|disponible|disponibile|op\svoorraad|add\sto\s(?:cart|basket|bag)|buy\s(?:now|tickets?)|get\stickets|in\sden\swarenkorb|jetzt\skaufen|tickets?\skaufen|ajouter\sau\spanier|acheter|añadir\sa|comprar|カートに入れる|在庫あり|^(?:yes|ja|oui|sí|si|sì|true|1|✓|✔|free|kostenlos|gratis|gratuit|gratuito)$|onlineevent|mixedevent/i;

export function readBoolean(text: string): boolean | undefined {
  const short = text.trim().slice(0, 200);
  if (NO.test(short)) return false;
  return YES.test(short) ? true : undefined;
}
