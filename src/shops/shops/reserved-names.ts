/**
 * Names that look like the platform itself or its staff, that it needs below its own domain (mail and name
 * servers; the addresses of RFC 2142, to which certificates are issued; names that clients look up by themselves), or that
 * stand in its own paths (`/shops/public/{uniqueName}` next to `/shops/{shopId}/team`).
 */
const RESERVED =
  'about abuse account accounts admin administrator admins ads api apikey apikeys apis app apps assets audit auth autoconfig ' +
  'autodiscover backup beta billing blog bydomain careers cdn checkout community config consenttext console contact cpanel dashboard db demo ' +
  'demoshop deliveries delivery dev developer developers discord discount discounts dns docs domain domains download ' +
  'downloads email example faq feedback files forum ftp git guest health help helpdesk home host hostmaster hosting http ' +
  'https imap images info internal invitation invitations invoice invoices isatap key keys legal local localhost login ' +
  'logout mail manage manager marketplace me media member members messages metrics mobile mtasts mx my mysql news ' +
  'newsletter noc noreply ns null oauth official operator order orders overview owner owners panel partner partners ' +
  'password pay payment payments ping platform plugin plugins pop postmaster preview pricing privacy product products profile proxy ' +
  'public reactivate refund refunds register rejectedrequests root sales secure security server servers service services session sessions ' +
  'settings shop shops signin signup smtp ssl sso staff staging static stats status store storefront stores support ' +
  'system sysadmin team teams terms test tls undefined update updates upload uploads usenet user users uucp verify vpn ' +
  'webhook webhooks webmail webmaster wiki wpad www';

/** Names that providers number: www2, ns1. */
const NUMBERED = /^(?:api|cdn|ftp|imap|mail|mx|ns|pop|smtp|vpn|www)\d+$/;

const LOOKS_LIKE: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't', i: 'l' };

/** The name as a reader understands it: `log-in` and `l0gin` look like `login`. */
function skeleton(name: string): string {
  return name.replaceAll(/[-013457i]/g, (character) => LOOKS_LIKE[character] ?? '');
}

const SKELETONS = new Set(RESERVED.split(' ').map(skeleton));

/** Whether a unique name is not for shops; hyphens and digits in place of letters don't make it another one. */
export function isReservedName(name: string): boolean {
  return NUMBERED.test(name.replaceAll('-', '')) || SKELETONS.has(skeleton(name));
}
