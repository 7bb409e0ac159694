import { type ConsentVersion, type RequiredConsent } from '../../shops/consents/consent.types.js';
import { type OrderProblem } from '../order/order-problem.js';
import { type OrderConsent } from '../order/order.types.js';

/** What is wrong with consents of which one is named twice. */
export function repeatedConsents(consents: readonly Partial<ConsentVersion>[], field: string): string[] {
  const isRepeated = new Set(consents.map(({ kind }) => kind)).size !== consents.length;
  return isRepeated ? [`${field} must not repeat a kind`] : [];
}

/**
 * The consents that a shop requires and a buyer has not given, or has given to an earlier version. What the shop does not require is
 * ignored: it can have stopped requiring it since the buyer saw the box.
 */
export function consentProblems(
  required: readonly RequiredConsent[],
  given: readonly ConsentVersion[],
): OrderProblem[] {
  const missing = required.filter(
    ({ kind, version }) => !given.some((consent) => consent.kind === kind && consent.version === version),
  );
  return missing.map(({ kind, version }) => {
    const isOutdated = given.some((consent) => consent.kind === kind);
    return {
      code: 'consent_required',
      message: isOutdated
        ? `consents has ${kind} in another version than the current one, ${version}`
        : `consents must have ${kind} in version ${version}`,
      field: { field: 'consents', rule: 'required', params: { kind, version } },
    };
  });
}

/** What an order keeps of the consents of its buyer, who has given all that are required. */
export function consentsOf(required: readonly RequiredConsent[], at: Date): OrderConsent[] {
  return required.map(({ kind, version, hash }) => ({ kind, version, hash, at }));
}
