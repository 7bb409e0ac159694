import { type CredentialRule, type Credentials, type PaymentProvider } from '../../providers/provider.js';

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

/** The stored credentials, without those that the service has read for other ones. */
function withoutOutdated(
  rules: readonly CredentialRule[],
  given: Readonly<Record<string, unknown>>,
  stored: Credentials,
): Credentials {
  const isChanged = (name: string): boolean => given[name] !== undefined && given[name] !== stored[name];
  const outdated = rules.filter(({ readWith }) => readWith?.some(isChanged)).map(({ name }) => name);
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !outdated.includes(name)));
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
  const known = { ...withoutOutdated(rules, given, stored), ...(given as Credentials) };
  const generated: Record<string, string> = {};
  for (const { name, says, optional, generate } of rules) {
    if (known[name] !== undefined || optional) continue;
    if (generate === undefined) problems.push(`credentials.${name} is required: it ${says}`);
    else generated[name] = generate();
  }
  return { credentials: { ...known, ...generated }, generated, problems };
}

/** The names of the credentials without which no buyer can pay here. */
export function missingForPayments(
  { credentials }: Pick<PaymentProvider, 'credentials'>,
  known: Credentials,
): string[] {
  const needed = credentials.filter(({ name, paymentsNeedIt }) => paymentsNeedIt && known[name] === undefined);
  return needed.map(({ name }) => name);
}

/** Why a provider did not accept credentials, in one sentence. @param status 401 or 403, as the provider returned it */
export function rejectionOf({ brand, keyName }: Pick<PaymentProvider, 'brand' | 'keyName'>, status: number): string {
  return status === 403
    ? `${brand} does not allow this ${keyName} to do what the service needs: check its permissions`
    : `${brand} rejected this ${keyName}`;
}
