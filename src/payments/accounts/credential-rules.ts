import { type CredentialRule, type Credentials } from '../providers/provider.js';

/** The credentials of a configuration after a change. */
export interface PreparedCredentials {
  readonly credentials: Credentials;
  /** The credentials that the service generated. */
  readonly generated: Credentials;
  /** One sentence for each problem; empty for valid credentials. */
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
 * Merges the credentials of a request into the stored ones. An absent credential keeps its stored value. Without one, the
 * provider's rule generates it.
 * @param given `credentials` of the request, not validated yet
 */
export function prepareCredentials(
  rules: readonly CredentialRule[],
  given: Readonly<Record<string, unknown>>,
  stored: Credentials,
): PreparedCredentials {
  const problems = problemsOf(rules, given);
  if (problems.length > 0) return { credentials: stored, generated: {}, problems };
  const known = { ...stored, ...(given as Credentials) };
  const generated: Record<string, string> = {};
  for (const { name, says, optional, generate } of rules) {
    if (known[name] !== undefined || optional) continue;
    if (generate === undefined) problems.push(`credentials.${name} is required: it ${says}`);
    else generated[name] = generate();
  }
  return { credentials: { ...known, ...generated }, generated, problems };
}
