// Mark and name of the product.
import mark from '../../icon.svg';

export function Brand() {
  return (
    <>
      <img src={mark} alt="" />
      <span>Subledger</span>
    </>
  );
}
