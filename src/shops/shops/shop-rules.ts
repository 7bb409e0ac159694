import { amountProblems, CURRENCY_SAYS, isCurrency } from '../../lib/money/money.js';
import { zoneOf } from '../../lib/time/local-time.js';
import { type NicknameRule, ruleProblems } from '../../domain/buyers/nickname-rule.js';
import { isReservedName } from './reserved-names.js';
import { type LegalPage, type ShopSettings, type Widget } from './shop.types.js';
import { type Notice } from './storefront.types.js';

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

/** What is wrong with a legal page: it is a text or a page elsewhere. @param field its name */
export function legalPageProblems({ text = null, url = null }: Partial<LegalPage>, field: string): string[] {
  return (text === null) === (url === null) ? [`${field} must have either text or url; send null to remove it`] : [];
}

/** What is wrong with the language of a shop's own sentences. */
export function langProblems(lang: string, field: string): string[] {
  return isLanguageTag(lang) ? [] : [`${field} must be a language such as fr or pt-BR`];
}

/** Whether a text is a language tag in its canonical form. */
function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text)[0] === text;
  } catch {
    return false;
  }
}

/** What is wrong with a notice: its link has a label and a URL, or it has none. */
export function noticeProblems({ label = null, url = null }: Partial<Notice>, field: string): string[] {
  return (label === null) === (url === null) ? [] : [`${field} must have both label and url, or neither`];
}

/** The widgets of a shop that everybody may read: a goal without an amount shows nothing. */
export function shownWidgets({
  widgets,
  monthlyGoalMinor,
}: Pick<ShopSettings, 'widgets' | 'monthlyGoalMinor'>): Widget[] {
  return widgets.filter((widget) => widget !== 'monthly_goal' || monthlyGoalMinor !== null);
}
