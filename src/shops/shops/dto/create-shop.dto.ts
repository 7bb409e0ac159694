import { ApiSchema } from '@nestjs/swagger';
import { BooleanField } from '../../../http/validation/fields.js';
import { BodyToCreate } from '../../../http/validation/derived-body.js';
import { ShopFields } from './shop-fields.dto.js';

@ApiSchema({ description: 'A shop to create.' })
export class CreateShopDto extends BodyToCreate(ShopFields, [
  'uniqueName',
  'displayName',
  'currency',
  'timezone',
  'nicknameRule',
]) {
  @BooleanField({
    optional: true,
    description: 'Whether the shop is open to the public at once. true by default.',
    example: false,
  })
  isActive?: boolean;
}
