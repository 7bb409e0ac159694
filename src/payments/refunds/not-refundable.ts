import { AppError } from '../../domain/errors/app-error.js';

/** The error for a refund that is not made. @param message why, in one sentence */
export function notRefundable(message: string): AppError {
  return new AppError('not_refundable', { message });
}
