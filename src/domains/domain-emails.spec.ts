import { expect, it } from '@jest/globals';
import { domainLostEmail, recordMissingEmail } from './domain-emails.js';

const DOMAIN = { shopName: 'Sky Realm', hostname: 'store.example.com', token: 'the-token' };
const RECORD = '_shop-platform.store.example.com\nshop-platform-verification=the-token\n';

it('write which record to publish, and in how many days the domain is lost', () => {
  expect(recordMissingEmail('one@example.com', DOMAIN)).toEqual({
    to: 'one@example.com',
    subject: 'The DNS record of store.example.com is missing',
    text:
      'Sky Realm can use store.example.com only while this TXT record exists. We could not find it:\n\n' +
      `${RECORD}\nPlease publish it again. Otherwise Sky Realm loses the domain in 3 days.\n`,
  });
  expect(domainLostEmail('one@example.com', DOMAIN)).toEqual({
    to: 'one@example.com',
    subject: 'Sky Realm has lost store.example.com',
    text:
      'The TXT record of store.example.com has been missing for 3 days. Sky Realm now uses its platform address again, ' +
      'and another shop may claim the domain.\n\nTo get it back, publish this record and verify the domain again:\n\n' +
      RECORD,
  });
});
