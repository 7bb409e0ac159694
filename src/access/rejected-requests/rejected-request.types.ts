/** A request with a credential of a shop that the service has rejected. Nothing of its path, its query or its bodies. */
export interface RejectedRequest {
  readonly at: Date;
  readonly method: string;
  /** The template of its route. */
  readonly route: string;
  /** 400 to 499. */
  readonly status: number;
  /** As `X-Error-Code` has it. */
  readonly code: string;
  readonly requestId: string;
  /** null: a person sent it. */
  readonly keyId: string | null;
}

/** How many are kept of each shop, the latest ones. */
export const MAX_KEPT = 200;
