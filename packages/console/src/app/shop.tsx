import { createContext, useContext } from 'react';
import { type ShopOfMine } from '../api/types.ts';
import { useLanguage } from '../lang/language.tsx';
import { money } from '../ui/formats.ts';

export const ShopContext = createContext<ShopOfMine | null>(null);

/** The shop of the address, with what the reader may do there. */
export function useShop(): ShopOfMine {
  const shop = useContext(ShopContext);
  if (shop === null) throw new Error('useShop is for the pages of a shop');
  return shop;
}

/** Whether the reader has a permission in the shop. It hides; the service decides. */
export function useMay(permission: string): boolean {
  return useShop().permissions.includes(permission);
}

/** An amount in the currency of the shop, or of an order. */
export function useMoney(): (amount: number, currency?: string) => string {
  const shop = useShop();
  const { language } = useLanguage();
  return (amount, currency = shop.currency) => money(amount, currency, shop.currencyDecimals, language);
}
