import { type ActiveAccount } from '../accounts/payment-accounts.service.js';
import { type BuyerPaymentDto, type PaymentMethodDto } from './dto/buyer-payment.dto.js';
import { type OpenPayment } from './payment.types.js';

export function toPaymentMethodDto({ provider: { name, title } }: ActiveAccount): PaymentMethodDto {
  return { provider: name, title };
}

export function toBuyerPaymentDto({ provider, paymentId, url, expiresAt }: OpenPayment): BuyerPaymentDto {
  return { provider, paymentId, url, expiresAt: expiresAt.toISOString() };
}
