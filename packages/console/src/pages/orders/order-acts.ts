import { shopKey, useRefresh } from '../../app/queries.ts';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { useTell } from '../../ui/toasts.tsx';
import { type Order } from './order-types.ts';

interface OrderPath {
  readonly shopId: string;
  readonly orderId: string;
}

interface Acted {
  readonly order: Order;
  readonly onClose: () => void;
}

export interface ActProps extends Acted {
  readonly kept: number;
}

/** Sends an act, closes the dialog, and reads the order again. */
export function useAct({ order, onClose }: Acted) {
  const t = useT();
  const shop = useShop();
  const tell = useTell();
  const refresh = useRefresh();
  const path = { shopId: shop._id, orderId: order.id };
  return async (call: (path: OrderPath) => Promise<unknown>, done: string): Promise<void> => {
    await call(path);
    onClose();
    tell(t(done));
    await Promise.all([refresh(...shopKey(shop._id, 'orders')), refresh(...shopKey(shop._id, 'overview'))]);
  };
}
