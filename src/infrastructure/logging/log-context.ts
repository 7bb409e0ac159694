import { AsyncLocalStorage } from 'node:async_hooks';
import { isObjectId } from '../../lib/ids/object-id.js';

/** The ids that a line of the log can have. A name that is not here never gets into the log, whatever a route calls its parameters. */
const NAMES = [
  'shopId',
  'orderId',
  'orderIds',
  'deliveryId',
  'deliveryIds',
  'refundId',
  'paymentId',
  'eventId',
  'messageId',
  'productId',
  'categoryId',
  'serverId',
  'discountId',
  'banId',
  'keyId',
  'webhookId',
  'memberId',
  'invitationId',
  'sessionId',
] as const;
const KNOWN: ReadonlySet<string> = new Set(NAMES);

/** Ids of what a line is about. They lead an operator from one line to all lines about an order, and name no person. */
export type LogIds = Readonly<Partial<Record<(typeof NAMES)[number], string | readonly string[] | null>>>;

/** What every line of a request, a round of a job or a message has. */
export interface LogFields {
  readonly requestId?: string;
  readonly job?: string;
}

interface Context {
  readonly fields: LogFields;
  /** Ids that are known only when a line is written, such as the parameters of the route. */
  readonly parameters: () => Readonly<Record<string, unknown>> | undefined;
  ids: LogIds;
}

const contexts = new AsyncLocalStorage<Context>();

/**
 * Runs work whose lines have these fields, and none of the work that started it.
 * @param parameters ids by their names, and anything else, which does not get into the log
 */
export function inLogContext<Result>(
  fields: LogFields,
  ids: LogIds,
  run: () => Result,
  parameters: Context['parameters'] = () => undefined,
): Result {
  return contexts.run({ fields, parameters, ids }, run);
}

/** Runs a part of the running work. Its lines have these ids too, and those of its other parts do not. */
export function withLogIds<Result>(ids: LogIds, run: () => Result): Result {
  const outer = contexts.getStore();
  const context = { fields: outer?.fields ?? {}, parameters: outer?.parameters ?? (() => undefined) };
  return contexts.run({ ...context, ids: { ...outer?.ids, ...ids } }, run);
}

/** Adds ids to the later lines of the running work, as soon as they are known. */
export function addLogIds(ids: LogIds): void {
  const context = contexts.getStore();
  if (context !== undefined) context.ids = { ...context.ids, ...ids };
}

/** The fields that a line gets now. */
export function logFields(): Record<string, unknown> {
  const context = contexts.getStore();
  return context === undefined
    ? {}
    : { ...context.fields, ...idsAmong(context.parameters()), ...idsAmong(context.ids) };
}

/** The known names whose values are ids: a parameter of a path can be a secret. */
function idsAmong(values: Readonly<Record<string, unknown>> = {}): LogIds {
  const isId = (value: unknown): boolean => (Array.isArray(value) ? value.every(isObjectId) : isObjectId(value));
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => KNOWN.has(name) && isId(value)));
}
