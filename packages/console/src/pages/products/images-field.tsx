import { useRef, useState } from 'react';
import { api, apiUrl, dataOf } from '../../api/client.ts';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Button } from '../../ui/parts.tsx';
import { useErrorText } from '../../ui/states.tsx';

const TYPES = 'image/png,image/jpeg,image/webp';
const MOST = 8;

/** The images of a product: the first one stands on its card. */
export function ImagesField(props: {
  readonly values: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (ids: readonly string[]) => void;
}) {
  const t = useT();
  const shop = useShop();
  const textOf = useErrorText();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const { values, onChange } = props;
  const upload = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setBusy(true);
    setFailure(null);
    try {
      const { id } = await dataOf(api.post('/api/v2/images/{shopId}', { path: { shopId: shop._id }, body: file }));
      onChange([...values, id]);
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
      <span className="lab">{t('products.pictures')}</span>
      <div className="row wrapx">
        {values.map((id, index) => (
          <span className="picture" key={id}>
            <span className="thumb large">
              <img
                src={apiUrl(`/images/public/${shop._id}/${id}`, { w: 320 })}
                alt={t('products.picture', { count: index + 1 })}
              />
            </span>
            <Button
              look="plain"
              icon="close"
              aria-label={t('products.removePicture', { count: index + 1 })}
              onClick={() => onChange(values.filter((other) => other !== id))}
            />
          </span>
        ))}
        {values.length < MOST && (
          <Button icon="picture" isBusy={isBusy} onClick={() => input.current?.click()}>
            {t('products.addPicture')}
          </Button>
        )}
        <input
          ref={input}
          type="file"
          accept={TYPES}
          hidden
          aria-label={t('products.addPicture')}
          onChange={(event) => void upload(event.currentTarget.files?.[0])}
        />
      </div>
      {problem !== undefined && (
        <p className="err" role="alert">
          {problem}
        </p>
      )}
      <p className="hint">{t('products.pictureHint')}</p>
    </div>
  );
}
