import { defineCopy } from '../../lib/formats/copy.js';

/** The copy of the email about a webhook that was switched off. */
export const WEBHOOK_EMAIL_COPY = defineCopy({
  en: {
    disabled: (shop: string) => `A webhook of ${shop} was switched off`,
    disabledBody: (shop: string, webhook: string) =>
      `The webhook "${webhook}" of ${shop} no longer accepts events, so it was switched off.`,
    advice:
      'When its receiver works again, switch the webhook on, and replay the deliveries that it has missed. They are kept for 30 days.',
  },
  de: {
    disabled: (shop) => `Ein Webhook von ${shop} wurde abgeschaltet`,
    disabledBody: (shop, webhook) =>
      `Der Webhook „${webhook}“ von ${shop} nimmt keine Ereignisse mehr an und wurde deshalb abgeschaltet.`,
    advice:
      'Wenn sein Empfänger wieder arbeitet, schalte den Webhook ein, und sende die verpassten Zustellungen erneut. Sie bleiben 30 Tage lang gespeichert.',
  },
});
