/** A field of a request that the service rejects: `params` are the limits of the rule. */
export interface FieldProblem {
  readonly field: string;
  readonly rule: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The service has rejected a request. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    /** The code of docs/api.md, such as `out_of_stock`; `http_502` for a response that is not of the service, such as that of a proxy. */
    readonly code: string,
    readonly status: number,
    message: string,
    /** The rejected fields of a 400. */
    readonly fields: readonly FieldProblem[],
    /** Names the request in the log of the service. */
    readonly requestId: string | null,
    /** How long to wait before the next attempt, in milliseconds; null: the service does not say. */
    readonly retryAfterMs: number | null,
    readonly response: Response,
  ) {
    super(message);
  }
}

/** No response has arrived: the network, the service or a proxy is down, or the time limit is over. `cause` has the reason. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** Whether the service has rejected a request, with one of the codes if there are any. */
export function isApiError(error: unknown, ...codes: readonly string[]): error is ApiError {
  return error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));
}

/** Reads the error of a response that is no success. Its body need not be of the service. */
export async function toApiError(response: Response): Promise<ApiError> {
  const { headers, status } = response;
  return new ApiError(
    headers.get('X-Error-Code') ?? `http_${status}`,
    status,
    messageOf(await response.text()) ?? `The response has the status ${status}`,
    fieldsOf(headers.get('X-Error-Fields')),
    headers.get('X-Request-Id'),
    retryAfterMsOf(headers.get('Retry-After')),
    response,
  );
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}

function messageOf(body: string): string | null {
  const envelope = parsed(body);
  const isEnvelope = typeof envelope === 'object' && envelope !== null && 'error' in envelope;
  return isEnvelope && typeof envelope.error === 'string' ? envelope.error : null;
}

function fieldsOf(header: string | null): readonly FieldProblem[] {
  const fields = header === null ? [] : parsed(header);
  return Array.isArray(fields) ? (fields as FieldProblem[]) : [];
}

/** Seconds or a date (RFC 9110). */
function retryAfterMsOf(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isNaN(waitMs) ? null : Math.max(waitMs, 0);
}
