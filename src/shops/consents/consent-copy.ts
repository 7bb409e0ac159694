import { defineCopy } from '../../lib/formats/copy.js';

/** The sentences beside the boxes. A change of one is another version for each shop, from the next change of its settings on. */
export const CONSENT_COPY = defineCopy({
  en: {
    terms: 'I accept the terms of sale.',
    immediate_delivery:
      'I want the delivery to begin before the end of the withdrawal period, and I know that I lose my right of withdrawal for what has been delivered.',
  },
  de: {
    terms: 'Ich akzeptiere die Allgemeinen Geschäftsbedingungen.',
    immediate_delivery:
      'Ich möchte, dass die Lieferung vor dem Ende der Widerrufsfrist beginnt, und weiß, dass ich mein Widerrufsrecht für das verliere, was geliefert ist.',
  },
});
