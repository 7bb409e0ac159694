/** The tables of the public contract (shop-platform-rest-api-v2), as data. */

export type Credential = 'apiKey or bearer' | 'bearer' | 'none';

export interface ContractEndpoint {
  readonly number: number;
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly credential: Credential;
  /** Fields of the request body; null where the contract has none. */
  readonly request: readonly string[] | null;
  readonly data: 'object' | 'array';
  /** How many distinct error responses are documented. */
  readonly errors: number;
}

export const VERSION = '2.0.0';

export const ENDPOINTS: readonly ContractEndpoint[] = [
  {
    number: 1,
    method: 'get',
    path: '/api/v2/shops/{shopId}/team',
    credential: 'apiKey or bearer',
    request: null,
    data: 'object',
    errors: 5,
  },
  {
    number: 2,
    method: 'patch',
    path: '/api/v2/api-keys/{keyId}',
    credential: 'bearer',
    request: ['name', 'permissions'],
    data: 'object',
    errors: 4,
  },
  {
    number: 3,
    method: 'get',
    path: '/api/v2/api-keys',
    credential: 'bearer',
    request: null,
    data: 'array',
    errors: 4,
  },
  {
    number: 4,
    method: 'post',
    path: '/api/v2/discounts/{shopId}/validate',
    credential: 'apiKey or bearer',
    request: ['code', 'orderValue', 'productId', 'serverId'],
    data: 'object',
    errors: 5,
  },
  {
    number: 5,
    method: 'post',
    path: '/api/v2/orders/public/{orderId}/nickname/change',
    credential: 'none',
    request: ['verificationCode', 'newNickname'],
    data: 'object',
    errors: 3,
  },
  {
    number: 6,
    method: 'delete',
    path: '/api/v2/shops/{shopId}/domain',
    credential: 'apiKey or bearer',
    request: null,
    data: 'object',
    errors: 5,
  },
  {
    number: 7,
    method: 'get',
    path: '/api/v2/stats/{shopId}/comparison',
    credential: 'apiKey or bearer',
    request: null,
    data: 'object',
    errors: 5,
  },
  {
    number: 8,
    method: 'get',
    path: '/api/v2/servers/public/{serverId}/status',
    credential: 'none',
    request: null,
    data: 'object',
    errors: 3,
  },
  {
    number: 9,
    method: 'post',
    path: '/api/v2/payments/webhooks/{provider}/{shopId}/{webhookSecret}',
    credential: 'none',
    request: null,
    data: 'object',
    errors: 3,
  },
];

/** Meaning of the team list's statuses. */
export const TEAM_ERRORS: Readonly<Record<string, string>> = {
  400: 'invalid input',
  401: 'missing or invalid authentication',
  403: 'no permission or no access',
  404: 'not found',
  429: 'request limit exceeded',
};

export const SUCCESS_ENVELOPE = ['success', 'data', 'message'];
export const ERROR_ENVELOPE = ['success', 'statusCode', 'error', 'timestamp', 'path'];
export const API_KEY_RECORD = ['id', 'name', 'permissions', 'type', 'keyPreview', 'isActive', 'createdAt'];
export const SHOP_RECORD = ['_id', 'uniqueName', 'displayName', 'frontEndUrl', 'isActive', 'createdAt'];
