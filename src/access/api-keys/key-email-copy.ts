import { defineCopy } from '../../lib/formats/copy.js';

/** The copy of the emails about the API keys of a shop. */
export const KEY_EMAIL_COPY = defineCopy({
  en: {
    created: (shop: string) => `A new API key for ${shop}`,
    createdBody: (shop: string) => `Somebody in the team created an API key for ${shop}.`,
    rotated: (shop: string) => `An API key of ${shop} was rotated`,
    rotatedBody: (shop: string) => `Somebody in the team rotated an API key of ${shop}. It has a new secret.`,
    name: 'Name',
    type: 'Type',
    key: 'Key',
    advice: 'If nobody in your team did this, revoke the key, and change your password.',
  },
  de: {
    created: (shop) => `Ein neuer API-Schlüssel für ${shop}`,
    createdBody: (shop) => `Jemand aus dem Team hat einen API-Schlüssel für ${shop} erstellt.`,
    rotated: (shop) => `Ein API-Schlüssel von ${shop} wurde erneuert`,
    rotatedBody: (shop) => `Jemand aus dem Team hat einen API-Schlüssel von ${shop} erneuert.`,
    name: 'Name',
    type: 'Art',
    key: 'Schlüssel',
    advice: 'Wenn das niemand aus deinem Team war, widerrufe den Schlüssel, und ändere dein Passwort.',
  },
});
