import { type AuditValue } from '../../events/audit/audit-rules.js';
import {
  amountProblems,
  checkedMinor,
  CURRENCY_SAYS,
  isCurrency,
  type MinorUnits,
  toMajor,
} from '../../lib/money/money.js';
import { zoneOf } from '../../lib/time/local-time.js';
import { type NicknameRule, ruleProblems } from '../../domain/buyers/nickname-rule.js';
import { isReservedName } from './reserved-names.js';
import { type ShopSettings, type Widget } from './shop.types.js';

export const UNIQUE_NAME = /^[a-z0-9](?:[a-z0-9]|-(?!-)){1,38}[a-z0-9]$/;

/** A colour as CSS writes it. */
export const ACCENT_COLOR = /^#[0-9A-Fa-f]{6}$/;

/**
 * The problems of a shop's settings, one sentence each; empty when there is none. Absent settings are not checked, and neither is
 * the goal without the currency of its amount.
 */
export function settingProblems(settings: {
  readonly uniqueName?: string | undefined;
  readonly currency?: string | undefined;
  readonly timezone?: string | undefined;
  readonly nicknameRule?: NicknameRule | undefined;
  readonly monthlyGoal?: number | null | undefined;
}): string[] {
  const { uniqueName, currency, timezone, nicknameRule, monthlyGoal = null } = settings;
  const problems = currency === undefined ? [] : amountProblems({ monthlyGoal }, currency);
  if (uniqueName !== undefined && isReservedName(uniqueName)) problems.push('uniqueName is reserved');
  if (currency !== undefined && !isCurrency(currency)) problems.push(`currency ${CURRENCY_SAYS}`);
  if (timezone !== undefined && zoneOf(timezone) === null) {
    problems.push('timezone must be an IANA zone such as Europe/Berlin');
  }
  return nicknameRule === undefined
    ? problems
    : [...problems, ...ruleProblems(nicknameRule).map((problem) => `nicknameRule.${problem}`)];
}

/** Settings in the form of the audit log. @param currency of the amounts */
export function settingsInWords(
  { nicknameRule, monthlyGoalMinor, ...others }: Partial<ShopSettings>,
  currency: string,
): Readonly<Record<string, AuditValue>> {
  const rule = nicknameRule && [nicknameRule.preset, nicknameRule.pattern].filter((part) => part !== null).join(' ');
  const { displayName, timezone, language, supportEmail, accentColor, ownerEmails, widgets } = others;
  const monthlyGoal = monthlyGoalMinor === undefined ? undefined : shownGoal(monthlyGoalMinor, currency);
  return {
    ...{ displayName, timezone, nicknameRule: rule, language, supportEmail, accentColor, ownerEmails },
    ...{ widgets, monthlyGoal },
  };
}

/** The goal of a shop in major units. */
export function shownGoal(monthlyGoalMinor: MinorUnits | null, currency: string): number | null {
  return monthlyGoalMinor === null ? null : toMajor(monthlyGoalMinor, currency);
}

/** The goal as it is stored. @param monthlyGoal in major units, without `settingProblems` */
export function storedGoal(monthlyGoal: number | null, currency: string): MinorUnits | null {
  return monthlyGoal === null ? null : checkedMinor(monthlyGoal, currency);
}

/** The widgets of a shop that everybody may read: a goal without an amount shows nothing. */
export function shownWidgets({
  widgets,
  monthlyGoalMinor,
}: Pick<ShopSettings, 'widgets' | 'monthlyGoalMinor'>): Widget[] {
  return widgets.filter((widget) => widget !== 'monthly_goal' || monthlyGoalMinor !== null);
}
