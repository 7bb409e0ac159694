import { type Role } from '../../domain/principal/permissions.js';
import { defineCopy } from '../../lib/formats/copy.js';

/** The copy of the emails to people in a team, or invited into one. */
export const TEAM_EMAIL_COPY = defineCopy({
  en: {
    invitation: (shop: string) => `Join the team of ${shop}`,
    invited: (shop: string, role: Role) => `You are invited to join the team of ${shop}. Your role will be: ${role}.`,
    open: (days: number) => `Accept or decline the invitation within ${days} days on this page:`,
    respond: 'Respond to the invitation',
    token: 'Or use this token in the program with which you manage the shop:',
    undelivered: (email: string) => `The invitation of ${email} did not arrive`,
    undeliveredBody: (email: string, shop: string) =>
      `The email with which ${email} was invited to the team of ${shop} could not be delivered.`,
    undeliveredAdvice: 'Check the address, and invite the person again.',
    removal: (shop: string) => `You are no longer in the team of ${shop}`,
    removed: (shop: string) =>
      `You were removed from the team of ${shop}. You no longer have access to the shop, and the API keys that you created there no longer work.`,
    received: (shop: string) => `You are now an owner of ${shop}`,
    receivedBody: (shop: string) => `The ownership of ${shop} was transferred to you.`,
    given: (shop: string) => `You transferred the ownership of ${shop}`,
    givenBody: (shop: string) =>
      `You transferred the ownership of ${shop} to another member. You are now an admin of the shop.`,
    givenWarning: 'If you did not do this, change your password now and contact the new owner.',
    added: (shop: string) => `${shop} has a new owner`,
    addedBody: (shop: string, name: string, email: string) => `${name} (${email}) is now an owner of ${shop}, too.`,
    addedWarning:
      'If no owner of the shop decided this, change your password now and remove this person from the team.',
  },
  de: {
    invitation: (shop) => `Einladung in das Team von ${shop}`,
    invited: (shop, role) => `Du bist in das Team von ${shop} eingeladen. Deine Rolle: ${role}.`,
    open: (days) => `Nimm die Einladung innerhalb von ${days} Tagen auf dieser Seite an, oder lehne sie ab:`,
    respond: 'Einladung beantworten',
    token: 'Oder verwende dieses Token in dem Programm, mit dem du den Shop verwaltest:',
    undelivered: (email) => `Die Einladung von ${email} ist nicht angekommen`,
    undeliveredBody: (email, shop) =>
      `Die E-Mail, mit der ${email} in das Team von ${shop} eingeladen wurde, konnte nicht zugestellt werden.`,
    undeliveredAdvice: 'Prüfe die Adresse, und lade die Person noch einmal ein.',
    removal: (shop) => `Du bist nicht mehr im Team von ${shop}`,
    removed: (shop) =>
      `Du wurdest aus dem Team von ${shop} entfernt. Du hast keinen Zugang mehr zu dem Shop, und die API-Schlüssel, die du dort erstellt hast, funktionieren nicht mehr.`,
    received: (shop) => `${shop} gehört jetzt dir`,
    receivedBody: (shop) => `${shop} wurde dir übertragen.`,
    given: (shop) => `Du hast ${shop} übertragen`,
    givenBody: (shop) => `Du hast ${shop} an ein anderes Mitglied übertragen. Deine Rolle ist jetzt: admin.`,
    givenWarning:
      'Wenn du das nicht warst, ändere sofort dein Passwort, und wende dich an die Person, der der Shop jetzt gehört.',
    added: (shop) => `${shop} hat eine weitere Person als Inhaber`,
    addedBody: (shop, name, email) => `${shop} gehört jetzt auch ${name} (${email}).`,
    addedWarning:
      'Wenn das niemand entschieden hat, dem der Shop gehört, ändere sofort dein Passwort, und entferne diese Person aus dem Team.',
  },
});
