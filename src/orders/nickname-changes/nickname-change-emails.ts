import { type EmailedShop, type ShopEmail, shopEmail } from '../../events/mail/email.types.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { shownNumber } from '../order/order-rules.js';
import { type NicknameChange } from './nickname-change.types.js';
import { NICKNAME_EMAIL_COPY } from './nickname-email-copy.js';

/** The shop of an order whose nickname changes: the links of its emails have its name. */
export type OrderShop = EmailedShop & Pick<Shop, 'uniqueName'>;

/** The order that an email is about, and its page. */
export interface EmailedOrder {
  readonly id: string;
  readonly number: number;
  readonly email: string;
  readonly link: string;
}

/** The verification code, for the email address of the order. */
export function nicknameCodeEmail(order: EmailedOrder, shop: EmailedShop, code: string): ShopEmail {
  const copy = NICKNAME_EMAIL_COPY[shop.language];
  const parts = [
    { text: copy.codeOf(shownNumber(order)) },
    { code },
    { text: copy.validity },
    { link: order.link, label: copy.order },
  ];
  return { ...shopEmail(order.email, shop, { subject: copy.code, parts }, order.id), isAwaited: true };
}

/** The email about a change, to the address of the order. */
export function nicknameChangedEmail(order: EmailedOrder, shop: EmailedShop, change: NicknameChange): ShopEmail {
  const copy = NICKNAME_EMAIL_COPY[shop.language];
  const { previousNickname: before, nickname: after } = change;
  const text =
    change.item === undefined
      ? copy.changedOf(shownNumber(order), before, after)
      : copy.itemChangedOf(shownNumber(order), change.item, before, after);
  const parts = [{ text }, { text: copy.warning(shop.displayName) }, { link: order.link, label: copy.order }];
  return shopEmail(order.email, shop, { subject: copy.changed, parts }, order.id);
}
