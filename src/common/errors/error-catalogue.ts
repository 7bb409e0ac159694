/**
 * Every error that the service returns: its code, its HTTP status and its public sentence. A test compares this list with the
 * table in docs/api.md. Code that throws an error may give a more exact sentence, but never another status.
 */
export const ERROR_CATALOGUE = {
  // 400: the request itself is wrong, and fails again when it is repeated unchanged
  validation_failed: { status: 400, message: 'The request is not valid' },
  malformed_json: { status: 400, message: 'The body is not valid JSON' },
  body_too_complex: { status: 400, message: 'The body nests deeper than 16 levels or has more than 1000 keys' },
  malformed_id: { status: 400, message: 'An identifier in the path is not an ObjectId of 24 hexadecimal digits' },
  malformed_url: { status: 400, message: 'The path is not correctly percent-encoded' },
  host_invalid: { status: 400, message: 'The request must have exactly one Host header' },
  malformed_cursor: { status: 400, message: 'cursor must come from the Link header of a list' },
  two_credentials: { status: 400, message: 'Send either X-API-Key or Authorization, not both' },
  permission_not_grantable: { status: 400, message: 'One of the permissions cannot be granted here' },
  verification_code_invalid: { status: 400, message: 'The verification code is wrong, expired or already used' },
  nickname_not_allowed: { status: 400, message: 'The nickname does not follow the rule of this shop' },
  nickname_locked: {
    status: 400,
    message: 'This order is already delivered or being delivered, so its nickname cannot change',
  },
  discount_not_applicable: { status: 400, message: 'The discount code does not apply to this order' },
  product_not_available: { status: 400, message: 'A product of the order is not for sale in this shop' },
  quantity_not_allowed: { status: 400, message: 'One order may not have that many pieces of a product' },
  domain_not_allowed: { status: 400, message: 'This hostname cannot be used as a custom domain' },
  domain_not_verified: { status: 400, message: 'The TXT record that proves that you control the domain was not found' },
  webhook_rejected: {
    status: 400,
    message: 'The webhook request has no valid signature, or its body cannot be read',
  },
  api_key_inactive: { status: 400, message: 'The API key is revoked or expired' },
  invitation_invalid: { status: 400, message: 'The invitation is unknown, expired or already used' },
  password_wrong: { status: 400, message: 'The current password is wrong' },
  reset_token_invalid: { status: 400, message: 'The reset token is unknown, expired or already used' },
  second_factor_code_invalid: { status: 400, message: 'The second-factor code is wrong or already used' },
  // 401
  authentication_required: { status: 401, message: 'Authentication is missing or invalid' },
  credentials_wrong: { status: 401, message: 'The email address or the password is wrong' },
  refresh_token_invalid: { status: 401, message: 'The refresh token is invalid, expired or already used' },
  second_factor_token_invalid: {
    status: 401,
    message: 'The token of the second step is invalid, expired or already used; log in again',
  },
  // 403
  permission_missing: { status: 403, message: 'The credential lacks the permission for this operation' },
  shop_access_denied: { status: 403, message: 'The credential has no access to this shop' },
  server_access_denied: { status: 403, message: 'The API key is bound to other game servers' },
  public_view_missing: {
    status: 403,
    message: 'A storefront key gets only what everybody may see, and this endpoint shows more',
  },
  address_not_allowed: { status: 403, message: 'The API key is not accepted from this address' },
  // 404
  route_not_found: { status: 404, message: 'There is no such endpoint' },
  shop_not_found: { status: 404, message: 'There is no such shop' },
  member_not_found: { status: 404, message: 'There is no such member' },
  invitation_not_found: { status: 404, message: 'There is no such invitation' },
  api_key_not_found: { status: 404, message: 'There is no such API key' },
  product_not_found: { status: 404, message: 'There is no such product' },
  category_not_found: { status: 404, message: 'There is no such category' },
  server_not_found: { status: 404, message: 'There is no such server' },
  discount_not_found: { status: 404, message: 'There is no such discount' },
  order_not_found: { status: 404, message: 'There is no such order' },
  webhook_not_found: { status: 404, message: 'There is no such webhook' },
  provider_not_found: { status: 404, message: 'There is no such payment provider' },
  session_not_found: { status: 404, message: 'There is no such session' },
  // 405 .. 415
  method_not_allowed: { status: 405, message: 'The endpoint does not support this method' },
  email_taken: { status: 409, message: 'An account with this email address already exists' },
  shop_name_taken: { status: 409, message: 'A shop with this uniqueName already exists' },
  discount_code_taken: { status: 409, message: 'The shop already has a discount with this code' },
  product_slug_taken: { status: 409, message: 'The shop already has a product with this slug' },
  category_slug_taken: { status: 409, message: 'The shop already has a category with this slug' },
  domain_taken: { status: 409, message: 'The hostname belongs to another shop' },
  already_member: { status: 409, message: 'The person is already a member of this shop' },
  last_owner: { status: 409, message: 'A shop must have at least one owner; make somebody else an owner first' },
  second_factor_on: { status: 409, message: 'The second factor is already switched on' },
  second_factor_off: { status: 409, message: 'The second factor is not switched on' },
  quota_reached: { status: 409, message: 'A limit of the person or the shop is reached; remove something first' },
  out_of_stock: { status: 409, message: 'The shop does not have that many pieces of a product left' },
  product_limit_reached: { status: 409, message: 'The buyer has as many pieces of a product as one buyer may have' },
  not_redeliverable: {
    status: 409,
    message: 'Only a paid order can be delivered again, and only what failed or was delivered',
  },
  not_cancellable: { status: 409, message: 'Only an open order can be cancelled' },
  not_resolvable: { status: 409, message: 'Only an order whose payment needs a review can be resolved' },
  nickname_unchanged: { status: 409, message: 'The order already has this nickname' },
  state_conflict: { status: 409, message: 'The record was changed by another request; read it again' },
  idempotency_in_progress: { status: 409, message: 'A request with this Idempotency-Key is still running' },
  secret_shown_once: {
    status: 409,
    message: 'The request already succeeded; its secret is shown only once',
  },
  stored_response_unreadable: {
    status: 409,
    message: 'The request already succeeded, but its stored response can no longer be read',
  },
  body_too_large: { status: 413, message: 'The body is too large' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json in UTF-8, not compressed' },
  expectation_failed: { status: 417, message: 'The Expect header must be 100-continue' },
  idempotency_mismatch: { status: 422, message: 'This Idempotency-Key was used with another request' },
  rate_limited: { status: 429, message: 'Too many requests; wait before the next try' },
  attempts_exhausted: {
    status: 429,
    message: 'Too many failed attempts; this order accepts no more codes until tomorrow',
  },
  // 5xx
  internal_error: { status: 500, message: 'Something went wrong on our side' },
  service_unavailable: { status: 503, message: 'The service is temporarily unavailable; try again shortly' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
