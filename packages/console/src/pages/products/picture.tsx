import { apiUrl } from '../../api/client.ts';
import { useShop } from '../../app/shop.tsx';
import { Icon } from '../../ui/icons.tsx';

/** The first image of a product, as the shop keeps it; images at other addresses are not loaded here. */
export function Picture({ imageId }: { readonly imageId: string | undefined }) {
  const shop = useShop();
  return (
    <span className="thumb">
      {imageId === undefined ? (
        <Icon name="products" />
      ) : (
        <img src={apiUrl(`/images/public/${shop._id}/${imageId}`, { w: 320 })} alt="" loading="lazy" />
      )}
    </span>
  );
}
