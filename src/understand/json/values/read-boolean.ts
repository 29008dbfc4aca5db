// Yes and no as pages say them, of stock in the words of shops.
import { readStock } from '../../../text/stock/stock.ts';

const MAX_TEXT = 200;
const NO = /^(?:no|nein|non|false|0|✗|✘|×)$|offlineevent/i;
const YES =
  /(?:buy|get|kaufen)\stickets?|tickets?\skaufen|^(?:yes|ja|oui|sí|si|sì|true|1|✓|✔|free|kostenlos|gratis|gratuit|gratuito)$|onlineevent|mixedevent/i;

export function readBoolean(text: string): boolean | undefined {
  const short = text.trim().slice(0, MAX_TEXT);
  if (NO.test(short)) return false;
  if (YES.test(short)) return true;
  return readStock(short)?.inStock;
}
