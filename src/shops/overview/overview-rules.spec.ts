import { describe, expect, it } from '@jest/globals';
import { joined, mailPart } from './overview-rules.js';

describe('mailPart', () => {
  it('needs nobody while the mail server accepts the account', () => {
    expect(mailPart('smtp', false)).toEqual({
      needs: [],
      sections: { mail: { destination: 'smtp', isRefused: false } },
    });
  });

  it('says that the mail server refuses the account, which nobody in the shop can repair', () => {
    const part = mailPart('smtp', true);
    expect(part.sections).toEqual({ mail: { destination: 'smtp', isRefused: true } });
    expect(joined([part], new Set(['shops:write', 'payments:write'])).needs).toEqual([
      {
        kind: 'mail_refused',
        subject: null,
        name: null,
        reason: 'The mail server refuses the account of the service, so no email leaves it',
        since: null,
        count: 1,
        mayAct: false,
      },
    ]);
  });
});
