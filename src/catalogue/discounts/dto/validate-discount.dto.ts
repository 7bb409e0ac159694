import { ApiSchema } from '@nestjs/swagger';
import { CodeField, IdField, MoneyField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'The code to check, and the order to check it against.' })
export class ValidateDiscountDto {
  @CodeField({ maxLength: 40, description: 'The code that the buyer typed.', example: 'SUMMER10' })
  code!: string;

  @MoneyField({ description: 'Value of the order in major units.', example: 49.99 })
  orderValue!: number;

  @IdField({ optional: true, description: 'The product that is bought.', example: '655f1c2ab1e4a9d3f0c81270' })
  productId?: string;

  @IdField({ optional: true, description: 'The server that it is for.', example: '655f1c2ab1e4a9d3f0c81260' })
  serverId?: string;
}
