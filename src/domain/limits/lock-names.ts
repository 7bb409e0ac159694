import { type QuotaName } from './quotas.js';

/** What transactions write together: a quota of a person or a shop, or one of these. The ids that follow the name are in brackets. */
type LockKind =
  | QuotaName
  /** What counts for a buyer: by mailbox (shop, mailbox) and by nickname (shop, nickname). */
  | 'mailbox'
  | 'nickname'
  /** The uses of a code (shop, code), and the stock of a product (product, shard). */
  | 'code'
  | 'stock'
  /** What is sold of a product, over all buyers (product). */
  | 'salesOfProduct'
  /** What a shop sells (shop). */
  | 'catalogue'
  /** The change of a nickname (order). */
  | 'nicknameChange'
  /** The deliveries that a server leases (shop, server). */
  | 'deliveries'
  /** A payment (shop, provider, payment), and all payments of an order (order). */
  | 'payment'
  | 'paymentsOfOrder'
  /** What the service knows of a provider (shop, provider): rejected requests, and failures. */
  | 'rejections'
  | 'failures'
  /** The statistics of a shop (shop), and the profiles of its buyers. */
  | 'statistics'
  | 'profiles';

/** Names records for `TransactionOptions.oneAtATime`. Only `lockOn` makes one, so a misspelt name does not compile. */
export type LockName = `${LockKind}:${string}`;

export function lockOn(kind: LockKind, ...ids: readonly string[]): LockName {
  return `${kind}:${ids.join(':')}`;
}
