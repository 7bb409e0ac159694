import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { type Language } from '../../lib/formats/languages.js';
import { CONSENT_COPY } from './consent-copy.js';
import { CONSENT_KINDS, type ConsentKind, type ConsentWording } from './consent.types.js';

/** The settings of a shop that decide what its buyers must agree to. */
export interface ConsentSettings {
  readonly requiredConsents: readonly ConsentKind[];
  /** The language of the sentences. */
  readonly language: Language;
  /** The terms of sale. */
  readonly terms: { readonly text: string | null; readonly url: string | null } | null;
}

/** What is wrong with the settings: nobody can accept terms that do not exist. */
export function consentSettingProblems({ requiredConsents, terms }: ConsentSettings): string[] {
  return requiredConsents.includes('terms') && terms === null
    ? ['legal.requiredConsents cannot have terms without legal.pages.terms']
    : [];
}

/** What buyers must agree to. @param settings without `consentSettingProblems` */
export function wordingsOf({ requiredConsents, language, terms }: ConsentSettings): ConsentWording[] {
  return CONSENT_KINDS.filter((kind) => requiredConsents.includes(kind)).map((kind) => {
    const document = kind === 'terms' ? terms : null;
    return {
      kind,
      statement: CONSENT_COPY[language][kind],
      text: document?.text ?? null,
      url: document?.url ?? null,
    };
  });
}

/** Identifies a wording by all that the buyer can read of it. */
export function hashOf({ statement, text, url }: ConsentWording): string {
  return sha256(JSON.stringify([statement, text, url]));
}
