import { IANAZone } from 'luxon';
import { isCurrency } from '../common/money/money.js';
import { isSafePattern, type NicknameRule } from '../common/validation/nickname-rule.js';

/** Names that would pass for the platform itself, or that it needs below its own domain. */
const RESERVED = new Set(
  (
    'about account accounts admin administrator api app assets auth billing blog cdn checkout contact dashboard demo-shop ' +
    'dev developer developers docs download email ftp help host imap legal localhost login logout mail manage manager ' +
    'me media messages my news null official operator order orders owner panel payment payments ping platform pop pricing ' +
    'privacy public register root sales secure security server servers shop shops signup smtp staff staging static stats ' +
    'status store stores support system team terms test undefined user users webhook webhooks www'
  ).split(' '),
);

export const UNIQUE_NAME = /^[a-z0-9](?:[a-z0-9]|-(?!-)){1,38}[a-z0-9]$/;

/** What is wrong with the settings of a new shop, one sentence each; empty when nothing is. */
export function settingProblems(settings: {
  readonly uniqueName: string;
  readonly currency: string;
  readonly timezone: string;
  readonly nicknameRule: NicknameRule;
}): string[] {
  const problems: string[] = [];
  if (RESERVED.has(settings.uniqueName)) problems.push('uniqueName is reserved');
  if (!isCurrency(settings.currency)) problems.push('currency must be an ISO 4217 code such as EUR');
  if (!IANAZone.isValidZone(settings.timezone)) problems.push('timezone must be an IANA zone such as Europe/Berlin');
  const { preset, pattern } = settings.nicknameRule;
  if (preset === 'custom' && (pattern === null || !isSafePattern(pattern))) {
    problems.push(
      'nicknameRule.pattern must be characters and character classes with bounded repetitions, such as [a-z]{3,12}',
    );
  }
  if (preset !== 'custom' && pattern !== null) problems.push('nicknameRule.pattern belongs to the preset custom only');
  return problems;
}
