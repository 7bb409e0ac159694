import { expect, it } from '@jest/globals';
import { EMAILED_SHOP, wordsOf } from '../../../test/support/fakes.js';
import { LANGUAGES } from '../../lib/formats/languages.js';
import { domainLostEmail, recordMissingEmail } from './domain-emails.js';

const DOMAIN = { hostname: 'store.example.com', token: 'the-token' };

it.each(LANGUAGES)('writes in %s which record to publish, and in how many days the domain is lost', (language) => {
  for (const email of [recordMissingEmail, domainLostEmail]) {
    const { subject, parts } = email({ ...EMAILED_SHOP, language }, DOMAIN);
    expect(subject).toContain('store.example.com');
    expect(parts).toContainEqual({ code: '_shop-platform.store.example.com' });
    expect(parts).toContainEqual({ code: 'shop-platform-verification=the-token' });
    for (const word of ['Sky Realm', '3']) expect(wordsOf({ subject, parts })).toContain(word);
  }
});
