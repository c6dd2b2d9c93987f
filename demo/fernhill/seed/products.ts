/** The products, and the words that fill the texts of tickets. */

export interface Product {
  name: string
  line: 'seeds' | 'tools' | 'greenhouses' | 'irrigation' | 'soil' | 'plants'
}

export const PRODUCTS: readonly Product[] = [
  { name: 'Crimson Giant radish seeds', line: 'seeds' },
  { name: 'Sungold tomato plugs', line: 'plants' },
  { name: 'Ashwood digging spade', line: 'tools' },
  { name: 'Solstice 6×8 greenhouse', line: 'greenhouses' },
  { name: 'Drizzle drip irrigation kit', line: 'irrigation' },
  { name: 'peat-free compost, 50 litres', line: 'soil' },
  { name: 'Hedgerow mix, 25 bare roots', line: 'plants' },
  { name: 'Two-tier potting bench', line: 'tools' },
  { name: 'Wildflower meadow mix 250 g', line: 'seeds' },
  { name: 'Copper slug tape', line: 'tools' },
  { name: 'Rainwell 210 litre water butt', line: 'irrigation' },
  { name: 'Coldframe Junior', line: 'greenhouses' },
  { name: 'Bypass secateurs No. 8', line: 'tools' },
  { name: 'seaweed feed, 5 litres', line: 'soil' },
  { name: 'Charlotte seed potatoes, 2 kg', line: 'seeds' },
]

export const TICKET_FIELDS = [
  { key: 'order_number', label: 'Order number', type: 'text', options: [] },
  { key: 'parcel_weight_kg', label: 'Parcel weight (kg)', type: 'number', options: [] },
  { key: 'purchase_date', label: 'Date of purchase', type: 'date', options: [] },
  { key: 'replacement_sent', label: 'Replacement sent', type: 'checkbox', options: [] },
  {
    key: 'product_line',
    label: 'Product line',
    type: 'select',
    options: [
      ['seeds', 'Seeds & bulbs'],
      ['plants', 'Plants'],
      ['tools', 'Tools & benches'],
      ['greenhouses', 'Greenhouses'],
      ['irrigation', 'Irrigation'],
      ['soil', 'Soil & feed'],
    ],
  },
  {
    key: 'concerns',
    label: 'Concerns',
    type: 'multi_select',
    options: [
      ['delivery', 'Delivery'],
      ['quality', 'Quality'],
      ['billing', 'Billing'],
      ['website', 'Website'],
      ['advice', 'Advice'],
    ],
  },
] as const

export const CARRIERS = ['Parcelhaul', 'Greenline Couriers', 'Northgate Freight'] as const
export const TOWNS = ['Ludlow', 'Matlock', 'Totnes', 'Hexham', 'Stroud', 'Kelso', 'Louth', 'Brecon'] as const
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const
