import { requireValid } from './require-valid.js';

/**
 * Returns the fields that were sent. An absent field is left out. A field with null was sent.
 * Example: `{ ...before, ...present(change) }`
 */
export function present<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

/**
 * Rejects a PATCH that changes nothing.
 * @throws AppError validation_failed unless at least one field was sent
 */
export function requireChange(change: object): void {
  requireValid(Object.keys(present(change)).length === 0 ? ['Send at least one field to change'] : []);
}
