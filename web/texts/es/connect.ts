import type { connect as en } from '../en/connect.ts'

export const connect: typeof en = {
  title: 'Conecte las dos cuentas',
  titleOne: (account) => `Conecte ${account}`,
  titleAgain: 'Sus dos cuentas',
  intro: (source) =>
    `En este paso solo leemos. No se copia nada antes de que usted vea el plan. En ${source} nunca se cambia ni se borra nada.`,
  introAgain: (source) =>
    `Si ha cambiado una contraseña o una clave, conecte la cuenta de nuevo. La importación continúa entonces sola. En ${source} nunca se cambia ni se borra nada.`,
  otherAccount: {
    heading: 'Parece otra cuenta',
    words: (destination) =>
      `En ${destination} hay registros de la cuenta conectada antes. Los registros de dos cuentas no deben mezclarse. No se cambió nada. Para usar otra cuenta, deshaga primero la importación.`,
    same: 'Es la misma cuenta en una dirección nueva',
    undo: 'Deshacer primero',
  },
  from: 'Desde',
  to: 'Hacia',
  example: (text) => `Ejemplo: ${text}`,
  openPage: (tool) => `Abrir la página en ${tool}`,
  oauth: {
    signIn: (tool) => `Iniciar sesión en ${tool}`,
    goingTo: (tool) => `Yendo a ${tool}…`,
    goes: (tool) => `Usted inicia sesión en la propia página de ${tool} y vuelve aquí. Nunca vemos su contraseña.`,
    where: '¿Dónde está su cuenta?',
    byKey: 'Usar una clave de API',
    bySignIn: (tool) => `Mejor iniciar sesión en ${tool}`,
    endHeading: 'Todavía no ha iniciado sesión',
    nothingChanged: 'No se ha cambiado nada.',
    ends: {
      denied: (tool) => `Usted no permitió el acceso en ${tool}. Si fue un error, inicie sesión otra vez.`,
      expired: () => 'Ese inicio de sesión había caducado o ya se había usado. Inicie sesión otra vez.',
      refused: (tool) =>
        `${tool} le dejó entrar, pero no nos muestra la cuenta. Inicie sesión como alguien que pueda verlo todo.`,
      other_account: (tool) =>
        `Esta es otra cuenta de ${tool} que la de antes. Los registros de dos cuentas no deben mezclarse. Inicie sesión en la cuenta anterior o deshaga primero la importación.`,
      scopes: (tool, scopes) =>
        `${tool} no nos dio todos los permisos que necesita la importación. Faltan: ${scopes}. Inicie sesión otra vez y permita todo. Si ${tool} no le deja elegir, indique estos nombres al equipo de soporte.`,
      not_set_up: (tool) =>
        `${tool} no acepta este servicio en este momento. Tenemos que arreglarlo nosotros. El equipo de soporte puede decirle más.`,
      unavailable: (tool) => `${tool} no respondió. Inténtelo de nuevo dentro de un rato.`,
    },
  },
  show: 'Mostrar',
  hide: 'Ocultar',
  submit: 'Conectar',
  checking: 'Iniciando sesión…',
  connected: 'Conectada',
  connectedAs: (name) => `Conectada: ${name}`,
  change: 'Conectar otra cuenta',
  changeUpload: 'Subir otros archivos',
  keepThis: 'Conservar la que está conectada',
  given: (partner) => `${partner} nos ha dado esta cuenta junto con la importación. Confirme que es la correcta.`,
  confirm: 'Sí, conectarla',
  other: 'Usar otra cuenta',
  refused: 'No pudimos iniciar sesión',
  refusedMeaning: 'No se ha cambiado nada, y lo que escribió no se ha guardado.',
  blank: 'Rellene este campo.',
  notAllowed: 'No podemos conectar con esta dirección. Compruébela o pregunte a soporte.',
  kept: 'Guardamos sus datos de acceso cifrados, los usamos solo para esta importación y los borramos cuando termina.',
  next: 'En cuanto las dos estén conectadas, leemos sus datos y le mostramos un plan.',
}
