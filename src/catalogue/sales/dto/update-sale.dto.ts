import { ApiSchema } from '@nestjs/swagger';
import { BodyToUpdate } from '../../../http/validation/derived-body.js';
import { SaleFields } from './sale-fields.dto.js';

@ApiSchema({ description: 'Changes of a sale. An absent field keeps its value.' })
export class UpdateSaleDto extends BodyToUpdate(SaleFields) {}
