import { type CredentialRule, type Credentials } from './providers/provider.js';

/** The credentials of a configuration after a change. */
export interface PreparedCredentials {
  readonly credentials: Credentials;
  /** Those that the service made. */
  readonly made: Credentials;
  /** One sentence for each problem; empty when the credentials can be used. */
  readonly problems: readonly string[];
}

function problemsOf(rules: readonly CredentialRule[], given: Readonly<Record<string, unknown>>): string[] {
  const problems: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const rule = rules.find((one) => one.name === name);
    if (rule === undefined) problems.push(`credentials.${name.slice(0, 100)} is not a known field`);
    else if (typeof value !== 'string' || !rule.pattern.test(value)) problems.push(`credentials.${name} ${rule.says}`);
  }
  return problems;
}

/**
 * Merges the credentials of a request into the stored ones. An absent one keeps its value, or is made by the provider's rule
 * when there is none yet.
 * @param given `credentials` of the request, not validated yet
 */
export function prepareCredentials(
  rules: readonly CredentialRule[],
  given: Readonly<Record<string, unknown>>,
  stored: Credentials,
): PreparedCredentials {
  const problems = problemsOf(rules, given);
  if (problems.length > 0) return { credentials: stored, made: {}, problems };
  const known = { ...stored, ...(given as Credentials) };
  const made: Record<string, string> = {};
  for (const { name, optional, make } of rules) {
    if (known[name] !== undefined || optional) continue;
    if (make === undefined) problems.push(`credentials.${name} is required`);
    else made[name] = make();
  }
  return { credentials: { ...known, ...made }, made, problems };
}
