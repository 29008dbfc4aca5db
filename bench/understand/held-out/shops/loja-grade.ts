// A Brazilian shop: facts in pairs of divs, instalments that look like prices, no markup for programs.
import { pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    nome: 'Cafeteira Italiana 6 Xícaras',
    marca: 'Serra Azul',
    avista: 'R$ 129,90',
    valor: 129.9,
    vezes: '3x de R$ 43,30',
    cor: 'Vermelho',
    voltagem: 'Não se aplica',
    garantia: '6 meses',
    nota: '4,6',
    vendidos: '1.204',
  },
  {
    nome: 'Liquidificador Turbo 1200W',
    marca: 'Potente',
    avista: 'R$ 219,00',
    valor: 219,
    vezes: '10x de R$ 21,90',
    cor: 'Preto',
    voltagem: '220V',
    garantia: '12 meses',
    nota: '4,2',
    vendidos: '876',
  },
  {
    nome: 'Rede de Descanso Casal',
    marca: 'Nordeste Arte',
    avista: 'R$ 159,50',
    valor: 159.5,
    vezes: '5x de R$ 31,90',
    cor: 'Cru',
    voltagem: 'Não se aplica',
    garantia: '3 meses',
    nota: '4,9',
    vendidos: '342',
  },
  {
    nome: 'Notebook Ágil 15"',
    marca: 'Veloz',
    avista: 'R$ 3.499,00',
    valor: 3499,
    vezes: '12x de R$ 324,90',
    cor: 'Prata',
    voltagem: 'Bivolt',
    garantia: '12 meses',
    nota: '3,7',
    vendidos: '58',
  },
  {
    nome: 'Ventilador de Coluna 40cm',
    marca: 'Brisa',
    avista: 'R$ 189,99',
    valor: 189.99,
    vezes: '4x de R$ 52,00',
    cor: 'Branco',
    voltagem: '127V',
    garantia: '12 meses',
    nota: '4,0',
    vendidos: '2.011',
  },
];

export const lojaGrade = pagesOf({
  kind: 'shop',
  name: 'loja-grade',
  items: ITEMS,
  url: ({ nome }) => `https://www.lojadobairro.example/${slug(nome)}/p`,
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Product name' },
      price: { type: 'number', description: 'Cash price (à vista) in reais' },
      installments: { type: 'string', description: 'Installment offer as shown' },
      brand: { type: 'string' },
      color: { type: 'string' },
      voltage: { type: 'string' },
      warranty: { type: 'string' },
      rating: { type: 'number' },
      units_sold: { type: 'integer' },
    },
    required: ['name', 'price'],
  },
  html: (
    item,
  ) => `<!DOCTYPE html><html lang="pt-BR"><head><title>${item.nome} - Loja do Bairro</title></head><body><div class="vtex-header"><a href="/">Loja do Bairro</a><span>Informe seu CEP</span><a href="/login">Entrar</a></div>
<div class="vtex-flex"><h1><span class="vtex-productBrand">${item.nome}</span></h1><div class="vtex-rating"><span>${item.nota}</span><span>(${item.vendidos} vendidos)</span></div>
<div class="vtex-price"><span class="parcelado">ou ${item.vezes} sem juros</span><span class="avista">${item.avista} à vista</span></div><div class="frete">Frete grátis acima de R$ 99,00</div>
<div class="specs"><div class="spec"><div class="spec-name">Marca</div><div class="spec-value">${item.marca}</div></div><div class="spec"><div class="spec-name">Cor</div><div class="spec-value">${item.cor}</div></div><div class="spec"><div class="spec-name">Voltagem</div><div class="spec-value">${item.voltagem}</div></div><div class="spec"><div class="spec-name">Garantia</div><div class="spec-value">${item.garantia}</div></div></div>
<div class="desc"><p>Produto pensado para o dia a dia, fácil de limpar e de guardar. Acompanha manual em português.</p></div></div>
<div class="shelf"><h2>Quem viu, viu também</h2><div class="shelf-item"><a href="/x/p">Chaleira Elétrica</a><span>R$ 99,90</span></div><div class="shelf-item"><a href="/y/p">Panela de Arroz</a><span>R$ 149,90</span></div></div></body></html>`,
  expected: (item) => ({
    name: item.nome,
    price: item.valor,
    installments: item.vezes,
    brand: item.marca,
    color: item.cor,
    voltage: item.voltagem,
    warranty: item.garantia,
    rating: Number(item.nota.replace(',', '.')),
    units_sold: Number(item.vendidos.replace('.', '')),
  }),
});
