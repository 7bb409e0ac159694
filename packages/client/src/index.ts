export { createClient, type Client, type Page, type Result } from './client.js';
export {
  anonymous,
  apiKey,
  bearer,
  cookieSession,
  type Credential,
  type Tokens,
  type TokenStore,
} from './credentials.js';
export { ApiError, ConnectionError, type FieldProblem, isApiError } from './errors.js';
export { type TransportOptions as ClientOptions } from './transport.js';
export {
  type Args,
  type Body,
  type Data,
  type EventType,
  type Item,
  type ListPath,
  type Method,
  type PathOf,
  type Query,
  type Schemas,
  type WebhookEvent,
} from './types.js';
export { type ReceivedEvent, type SignedRequest, verifyWebhook, WebhookVerificationError } from './webhooks.js';
