import { ApiSchema } from '@nestjs/swagger';
import { BodyToCreate } from '../../../http/validation/derived-body.js';
import { ShopFields } from './shop-fields.dto.js';

@ApiSchema({ description: 'A shop to create.' })
export class CreateShopDto extends BodyToCreate(ShopFields, [
  'uniqueName',
  'displayName',
  'currency',
  'timezone',
  'nicknameRule',
]) {}
