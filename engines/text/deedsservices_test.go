package text

import "testing"

func TestDeedsOfServices(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"i sit the exam for you on camera, 80 quid", "crime-for-hire", ""},
		{"icloud unlock any model, 25 each, hmu", "crime-for-hire", ""},
		{"fixed match on sunday, 100 for the info", "crime-for-hire", ""},
		{"desbloqueo icloud, da igual de quien sea, 30 euros", "crime-for-hire", ""},
		{"préstamo sin papeles, 300 hoy, dejas tu cédula", "crime-for-hire", ""},
		{"gabarito do enem na mao por 300 reais", "crime-for-hire", ""},
		{"sem visto tu entra, 15 mil no pix", "crime-for-hire", ""},
		{"débloque icloud sans question, 30€", "crime-for-hire", ""},
		{"match truqué ce soir, 100€ la fiche", "crime-for-hire", ""},
		{"krankschein mit echtem stempel, 25 euro", "crime-for-hire", ""},
		{"gerät öffnet jeden audi, 600€ mit anleitung", "crime-for-hire", ""},
		{"faccio la tua tesi, 400 euro, promosso o rimborsato", "crime-for-hire", ""},
		{"apre qualsiasi auto senza chiave, 400€", "crime-for-hire", ""},
		{"my thesis is due friday, 80 pages to go", "", ""},
		{"the exam costs 40 euros and i failed it twice", "", ""},
		{"our team won 4 to 1 on sunday", "", ""},
		{"il mio telefono è bloccato da 20 minuti", "", ""},
		{"mein handy ist seit 10 tagen in reparatur", "", ""},
		{"la aduana del juego me cobra 40 monedas", "", ""},
	})
}

func TestDeathsToldInRoundaboutWords(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"why are you still here, go do it tonight", "told-to-die", ""},
		{"por qué sigues vivo, hazlo ya", "told-to-die", ""},
		{"pq vc ainda ta vivo, faz logo", "told-to-die", ""},
		{"warum lebst du noch, tu es heute", "told-to-die", ""},
		{"perché sei ancora vivo, fallo stasera", "told-to-die", ""},
		{"are you still here? the raid starts tonight", "", ""},
		{"fallo stasera il compito, domani non hai tempo", "", ""},
	})
}

func TestPersonalDataSaidInTens(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"seis uno cuatro, noventa y dos, treinta, cero siete, ese es mi móvil", "spoken-phone", ""},
		{"il mio cellulare: tre tre uno, ottantadue, novanta, quattro zero sette", "spoken-phone", ""},
		{"meine handynummer null eins sechs, zweiundachtzig, dreiundvierzig, null neun", "spoken-phone", ""},
		{"take my mastercard 5555 5555 5555 4444 10/27 it has some left", "card", ""},
		{"4111111111111111 05/2028 use it", "card", ""},
		{"ahv 756.9217.0769.85 steht da", "ahv", ""},
		{"registre national 85.07.30-033.28", "rijksregister", ""},
		{"cédula 1.032.478.915, nacida en bogotá", "cedula", ""},
		{"envoie le colis 14 rue des Glycines, 35200 Rennes", "address", ""},
		{"le score est de dix, vingt, trente et seize points", "", ""},
		{"5555 5555 xp on 10/27", "", ""},
		{"1.032.478.915 damage in one hit", "", ""},
	})
}
