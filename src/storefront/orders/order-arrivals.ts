import { type ListedProduct } from '../../catalogue/products/product.types.js';
import { type DeliveryStatus, type Order } from '../../orders/order/order.types.js';
import { type LineProgress } from '../../payments/buyer-orders/line-rules.js';
import { figureOf } from '../pages/figures.js';
import { type Picture, type PictureAddresses, pictureOf } from '../pages/pictures.js';
import { type OrderPageCopy } from './order-page-copy.js';

/** What a page says in one or two words about how far a line has come. */
export interface ArrivalBadge {
  readonly text: string;
  /** A class of the style; empty: neither good nor bad. */
  readonly tone: 'good' | 'warn' | 'bad' | '';
}

/** The figure of one line of an order. */
export interface ArrivalPicture {
  readonly picture: Picture;
  readonly hue: number;
}

/** @returns null while nothing of the line is to arrive */
export function badgeOf(line: LineProgress | undefined, copy: OrderPageCopy): ArrivalBadge | null {
  if (line === undefined || line.state === 'none') return null;
  if (line.state === 'queued' && line.reason === 'player_needed') return { text: copy.badgePlayer, tone: 'warn' };
  if (line.state === 'revoked' && line.deliveredAt === null) return { text: copy.badgeNotDelivered, tone: '' };
  return badges(copy)[line.state];
}

const badges = (copy: OrderPageCopy): Readonly<Record<Exclude<DeliveryStatus, 'none'>, ArrivalBadge>> => ({
  queued: { text: copy.badgeQueued, tone: '' },
  leased: { text: copy.badgeLeased, tone: '' },
  delivered: { text: copy.badgeDelivered, tone: 'good' },
  handed_over: { text: copy.badgeSent, tone: 'good' },
  uncertain: { text: copy.badgeUncertain, tone: 'warn' },
  held: { text: copy.badgeHeld, tone: 'warn' },
  failed: { text: copy.badgeFailed, tone: 'bad' },
  revoked: { text: copy.badgeRevoked, tone: '' },
});

/** The pictures of what was ordered: those of the products, or our own ones where a product is no longer for sale. One for each item. */
export function arrivalPictures(
  { items }: Pick<Order, 'items'>,
  products: ReadonlyMap<string, Pick<ListedProduct, 'imageIds'>>,
  addresses: PictureAddresses,
): readonly ArrivalPicture[] {
  return items.map(({ productId, name }) => {
    const { file, hue } = figureOf(productId, name);
    return { picture: pictureOf(products.get(productId)?.imageIds ?? [], file, 320, addresses), hue };
  });
}
