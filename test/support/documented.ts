import { type Response } from 'supertest';

type ResponseProblem = (method: string, path: string, status: number, body: unknown, code?: string) => string | null;

/** Whether an operation of the OpenAPI document needs a credential: none of its alternatives is empty. */
export function needsCredential({ security = [] }: { readonly security?: readonly object[] }): boolean {
  return security.length > 0 && security.every((alternative) => Object.keys(alternative).length > 0);
}

/** Shared by the spec files of a Jest worker (`test/setup/environment.js`). */
const { responseProblem } = globalThis as unknown as { readonly responseProblem: ResponseProblem };

/**
 * Checks a JSON response against the OpenAPI document: its status is documented, its body follows the schema, and its operation lists
 * the code of an error.
 * @param path with the prefix `/api/v2`, and without the query
 * @throws Error that names what differs
 */
export function requireDocumented(method: string, path: string, { status, body, type, headers }: Response): void {
  if (type !== 'application/json' || path.endsWith('/openapi.json')) return;
  const problem = responseProblem(method, path, status, body, headers['x-error-code']);
  if (problem !== null) throw new Error(problem);
}
