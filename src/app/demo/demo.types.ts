/** Everything that a new user needs to try the API. Written to `DATA_DIR/demo.json` and printed at the start. */
export interface Demo {
  readonly baseUrl: string;
  readonly shopId: string;
  readonly owner: { readonly email: string; readonly password: string; readonly accessToken: string };
  readonly support: { readonly email: string; readonly password: string };
  readonly keys: { readonly secret: string; readonly plugin: string; readonly storefront: string };
  readonly keyId: string;
  readonly serverId: string;
  readonly productId: string;
  readonly discountCode: string;
  readonly limitedDiscountCode: string;
  /** A paid order whose delivery is queued for another server than `serverId`. The nickname line changes it. */
  readonly orderId: string;
  /** Its access token, for `X-Order-Token`. */
  readonly orderToken: string;
  /** An unpaid order. The webhook line pays it. */
  readonly openOrderId: string;
  readonly webhook: { readonly provider: 'custom'; readonly url: string; readonly signingSecret: string };
  /** A curl line for each of the contract's nine endpoints, in the contract's order. */
  readonly curl: readonly string[];
}

/** The part of the demo that stays the same at each start. */
export interface DemoSeed extends Omit<Demo, 'baseUrl' | 'owner' | 'curl'> {
  readonly owner: { readonly userId: string; readonly email: string; readonly password: string };
  readonly openOrderTotal: number;
  readonly currency: string;
}
