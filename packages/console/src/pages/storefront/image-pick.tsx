import { useRef, useState } from 'react';
import { api, apiUrl, dataOf } from '../../api/client.ts';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Button } from '../../ui/parts.tsx';
import { useErrorText } from '../../ui/states.tsx';

/** The address of an image of the shop. */
export const imageUrl = (shopId: string, id: string, width: number): string =>
  apiUrl(`/images/public/${shopId}/${id}`, { w: width });

/** One image of the shop, or none. */
export function ImagePick(props: {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (id: string) => void;
}) {
  const t = useT();
  const shop = useShop();
  const textOf = useErrorText();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const { label, value, onChange } = props;
  const upload = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setBusy(true);
    setFailure(null);
    try {
      onChange((await dataOf(api.post('/api/v2/images/{shopId}', { path: { shopId: shop._id }, body: file }))).id);
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
      if (input.current !== null) input.current.value = '';
    }
  };
  const problem = failure === null ? props.error : textOf(failure);
  return (
    <div className="field">
      <span className="lab">{label}</span>
      <div className="row wrapx">
        {value !== '' && (
          <span className="thumb pick-image">
            <img src={imageUrl(shop._id, value, 320)} alt={label} />
          </span>
        )}
        <Button icon="picture" isBusy={isBusy} onClick={() => input.current?.click()}>
          {t(value === '' ? 'storefront.addImage' : 'storefront.changeImage')}
        </Button>
        {value !== '' && (
          <Button look="plain" onClick={() => onChange('')}>
            {t('storefront.remove')}
          </Button>
        )}
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          hidden
          aria-label={label}
          onChange={(event) => void upload(event.currentTarget.files?.[0])}
        />
      </div>
      {problem !== undefined && (
        <p className="err" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
