import { type components, type paths, type webhooks } from '../generated/schema.js';

/** Everything that the API sends and takes, by the name in the OpenAPI document. */
export type Schemas = components['schemas'];
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends object ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends PathOf<M>> = NonNullable<paths[P][M]>;
type Parameters<O> = O extends { parameters: infer Given } ? Given : never;
type Parameter<O, Where extends string> = Where extends keyof Parameters<O> ? NonNullable<Parameters<O>[Where]> : never;
type Content<O> = O extends { responses: { 200: { content: infer Types } } } ? Types : never;
type RequestContent<O> = O extends { requestBody?: infer Given }
  ? NonNullable<Given> extends { content: infer Types }
    ? Types
    : never
  : never;

/** What a success has in `data`. Of images and CSV it is the file. */
export type Data<M extends Method, P extends PathOf<M>> =
  Content<Operation<M, P>> extends { 'application/json': infer Envelope }
    ? Envelope extends { data: infer D }
      ? D
      : never
    : Blob;
export type Query<M extends Method, P extends PathOf<M>> = Parameter<Operation<M, P>, 'query'>;
/** JSON, or a file: an image. */
export type Body<M extends Method, P extends PathOf<M>> =
  RequestContent<Operation<M, P>> extends { 'application/json': infer B } ? B : Blob;

/** The client sends these itself. */
type OwnHeader = 'If-Match' | 'Idempotency-Key' | 'X-API-Key';
type Headers<O> = [Parameter<O, 'header'>] extends [never] ? never : Omit<Parameter<O, 'header'>, OwnHeader>;

/** Required when one of its fields is, optional when none is, and not there when it has none. */
type Field<Name extends string, T> = [T] extends [never]
  ? unknown
  : keyof T extends never
    ? unknown
    : Partial<T> extends T
      ? { readonly [N in Name]?: T }
      : { readonly [N in Name]: T };
/** What is sent is never changed. */
type Sent<T> = T extends Blob | string | number | boolean | null | undefined
  ? T
  : { readonly [K in keyof T]: Sent<T[K]> };
type BodyField<O, B> = O extends { requestBody: object }
  ? { readonly body: Sent<B> }
  : O extends { requestBody?: never }
    ? unknown
    : { readonly body?: Sent<B> };
/** Of nothing, `keyof` would be everything. */
type Takes<O, Header extends string> = [Parameter<O, 'header'>] extends [never]
  ? false
  : Header extends keyof Parameter<O, 'header'>
    ? true
    : false;
type HeaderOption<O, Header extends string, Option extends string> =
  Takes<O, Header> extends true ? { readonly [N in Option]?: string | null } : unknown;

export interface CallOptions {
  /** Ends the request, its retries and its waiting. */
  readonly signal?: AbortSignal;
}

/** What a request has beside its method and path. */
export type Input<M extends Method, P extends PathOf<M>> = CallOptions &
  Field<'path', Parameter<Operation<M, P>, 'path'>> &
  Field<'query', Query<M, P>> &
  Field<'headers', Headers<Operation<M, P>>> &
  BodyField<Operation<M, P>, Body<M, P>> &
  /** The version (`etag`) that the change is meant for: somebody else's change in between is 412 `version_mismatch`. Null: the last one wins. */
  HeaderOption<Operation<M, P>, 'If-Match', 'ifMatch'> &
  /** Of an attempt before this process; otherwise the client makes one for each call. */
  HeaderOption<Operation<M, P>, 'Idempotency-Key', 'idempotencyKey'>;

export type Args<M extends Method, P extends PathOf<M>> =
  Partial<Input<M, P>> extends Input<M, P> ? [input?: Input<M, P>] : [input: Input<M, P>];

/** The lists with pages. */
export type ListPath = {
  [P in PathOf<'get'>]: Query<'get', P> extends { cursor?: string }
    ? Data<'get', P> extends readonly unknown[]
      ? P
      : never
    : never;
}[PathOf<'get'>];
export type Item<P extends ListPath> = Data<'get', P> extends readonly (infer T)[] ? T : never;

/** The paths whose POST takes an `Idempotency-Key`. */
export type IdempotentPath = {
  [P in PathOf<'post'>]: Takes<Operation<'post', P>, 'Idempotency-Key'> extends true ? P : never;
}[PathOf<'post'>];

export type EventType = keyof webhooks;
type EventPayload<T extends EventType> = webhooks[T] extends {
  post: { requestBody: { content: { 'application/json': infer Payload } } };
}
  ? Payload
  : never;
/** What a webhook gets, by `type`. A later version of the service can send types that this version of the client does not know. */
export type WebhookEvent = { [T in EventType]: EventPayload<T> }[EventType];
