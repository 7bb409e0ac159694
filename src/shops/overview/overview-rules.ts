import { type Permission } from '../../domain/principal/permissions.js';
import { type Shop } from '../shops/shop.types.js';
import { CHECKLIST, type Contribution, type Need, NEED_KINDS, type Overview } from './overview.types.js';

/** What the shop record itself says. */
export function shopPart({ domain, proof, isActive }: Shop): Contribution {
  const needs: Need[] = [];
  if (domain?.status === 'pending') {
    const reason = 'Nobody has confirmed the TXT record of this domain yet';
    needs.push({
      kind: 'domain_pending',
      subject: domain.hostname,
      name: domain.hostname,
      reason,
      since: null,
      count: 1,
    });
  } else if (domain !== null && proof !== null && proof.missingSince !== null) {
    const reason = 'The TXT record of this domain is missing, and the shop loses the domain without it';
    const { hostname } = domain;
    needs.push({
      kind: 'domain_missing',
      subject: hostname,
      name: hostname,
      reason,
      since: proof.missingSince,
      count: 1,
    });
  }
  return {
    needs,
    // Name, currency and time zone are required when a shop is created.
    checklist: { settings: true, open: isActive },
    sections: { domain: domain && { hostname: domain.hostname, status: domain.status } },
  };
}

/** What the mail server says. */
export function mailPart(destination: string, isRefused: boolean): Contribution {
  const reason = 'The mail server refuses the account of the service, so no email leaves it';
  const need: Need = { kind: 'mail_refused', subject: null, name: null, reason, since: null, count: 1 };
  return { needs: isRefused ? [need] : [], sections: { mail: { destination, isRefused } } };
}

/** Joins the contributions: needs in the order of `NEED_KINDS`, the oldest first, and the steps of the checklist in their order. */
export function joined(
  contributions: readonly Contribution[],
  permissions: ReadonlySet<Permission>,
): Pick<Overview, 'sections' | 'needs' | 'checklist'> {
  const order = Object.keys(NEED_KINDS);
  const needs = contributions
    .flatMap(({ needs = [] }) => needs)
    .sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind) || ageOf(one) - ageOf(other));
  const steps = Object.assign({}, ...contributions.map(({ checklist }) => checklist)) as NonNullable<
    Contribution['checklist']
  >;
  return {
    sections: Object.assign({}, ...contributions.map(({ sections }) => sections)) as Overview['sections'],
    needs: needs.map((need) => {
      const { permission } = NEED_KINDS[need.kind];
      return { ...need, mayAct: permission !== null && permissions.has(permission) };
    }),
    checklist: CHECKLIST.flatMap((step) => {
      const isDone = steps[step];
      return isDone === undefined ? [] : [{ step, isDone }];
    }),
  };
}

const ageOf = ({ since }: Need): number => since?.getTime() ?? Number.MAX_SAFE_INTEGER;
