import { Head } from '../../ui/parts.tsx';
import { useShop } from '../../app/shop.tsx';

export default function HomePage() {
  return <Head title={useShop().displayName} />;
}
