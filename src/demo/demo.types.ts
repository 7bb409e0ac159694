/** Everything that a newcomer needs to try the API; written to `DATA_DIR/demo.json` and printed at the start. */
export interface Demo {
  readonly baseUrl: string;
  readonly shopId: string;
  readonly owner: { readonly email: string; readonly password: string; readonly accessToken: string };
  readonly support: { readonly email: string; readonly password: string };
  readonly keys: { readonly secret: string; readonly plugin: string };
  readonly keyId: string;
  readonly serverId: string;
  readonly productId: string;
  readonly discountCode: string;
  readonly limitedDiscountCode: string;
  /** Paid, with a queued delivery; the nickname line is for it. */
  readonly orderId: string;
  /** Unpaid; the webhook line pays it. */
  readonly openOrderId: string;
  readonly webhook: { readonly provider: 'custom'; readonly url: string; readonly signingSecret: string };
  /** A ready line for each of the contract's nine endpoints, in its order. */
  readonly curl: readonly string[];
}

/** What the demo is made of before the service listens: without what only holds for this start. */
export interface DemoSeed extends Omit<Demo, 'baseUrl' | 'owner' | 'curl'> {
  readonly owner: { readonly userId: string; readonly email: string; readonly password: string };
  readonly openOrderTotal: number;
  readonly currency: string;
}
