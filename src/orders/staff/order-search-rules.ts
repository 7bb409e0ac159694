import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { isObjectId } from '../../lib/ids/object-id.js';
import { codeOf } from '../../lib/strings/code.js';
import { orderNumberIn } from '../order/order-rules.js';
import { type OrderLookup } from './order-search.types.js';

/**
 * What a text can be that staff look for, each of which one range of an index finds: an order by its number or id, a mailbox, the beginning of a nickname, a
 * discount code or a payment. The text itself is only compared with stored values; nothing in it is a pattern.
 * @param readsBuyers whether the reader may find orders by what only leads to a buyer: an address, or the id of a payment
 */
export function lookupsOf(q: string, readsBuyers: boolean): OrderLookup[] {
  const text = q.trim();
  const id = text.toLowerCase();
  const number = orderNumberIn(text);
  return [
    ...(isObjectId(id) ? [{ id }] : []),
    ...(number === null ? [] : [{ number }]),
    ...(readsBuyers && text.includes('@') ? [{ buyerKey: mailboxOf(text) }] : []),
    ...(readsBuyers ? [{ paymentId: text }] : []),
    { nicknamePrefix: nicknameKeyOf(text) },
    { discountCode: codeOf(text) },
  ];
}
