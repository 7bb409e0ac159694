import { type AuthContext } from '../common/auth/auth-context.js';
import { AppError } from '../common/errors/app-error.js';
import { type Shop, type ShopStamp } from './shop.types.js';

/** The stamp of a change that a caller makes now. */
export function stampOf({ principal }: Pick<AuthContext, 'principal'>): ShopStamp {
  return { updatedAt: new Date(), updatedBy: principal };
}

/** @throws AppError shop_not_found in place of null */
export function found(shop: Shop | null): Shop {
  if (shop === null) throw new AppError('shop_not_found');
  return shop;
}
