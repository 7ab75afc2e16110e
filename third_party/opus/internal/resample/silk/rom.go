// SPDX-FileCopyrightText: 2026 The Pion community <https://pion.ly>
// SPDX-License-Identifier: MIT

package silkresample

var (
	// Ported from silk/resampler_rom.c.
	resamplerUp2HQ0 = [3]int16{1746, 14986, 39083 - 65536} //nolint:gochecknoglobals
	resamplerUp2HQ1 = [3]int16{6854, 25769, 55542 - 65536} //nolint:gochecknoglobals

	// Ported from silk/resampler_rom.c.
	resampler34Coefs = [2 + 3*downOrderFIR0/2]int16{ //nolint:gochecknoglobals
		-20694, -13867,
		-49, 64, 17, -157, 353, -496, 163, 11047, 22205,
		-39, 6, 91, -170, 186, 23, -896, 6336, 19928,
		-19, -36, 102, -89, -24, 328, -951, 2568, 15909,
	}
	resampler23Coefs = [2 + 2*downOrderFIR0/2]int16{ //nolint:gochecknoglobals
		-14457, -14019,
		64, 128, -122, 36, 310, -768, 584, 9267, 17733,
		12, 128, 18, -142, 288, -117, -865, 4123, 14459,
	}
	resampler12Coefs = [2 + downOrderFIR1/2]int16{ //nolint:gochecknoglobals
		616, -14323,
		-10, 39, 58, -46, -84, 120, 184, -315, -541, 1284, 5380, 9024,
	}
	resampler13Coefs = [2 + downOrderFIR2/2]int16{ //nolint:gochecknoglobals
		16102, -15162,
		-13, 0, 20, 26, 5, -31, -43, -4, 65, 90, 7, -157, -248, -44, 593, 1583, 2612, 3271,
	}
	resampler14Coefs = [2 + downOrderFIR2/2]int16{ //nolint:gochecknoglobals
		22500, -15099,
		3, -14, -20, -15, 2, 25, 37, 25, -16, -71, -107, -79, 50, 292, 623, 982, 1288, 1464,
	}
	resampler16Coefs = [2 + downOrderFIR2/2]int16{ //nolint:gochecknoglobals
		27540, -15257,
		17, 12, 8, 1, -10, -22, -30, -32, -22, 3, 44, 100, 168, 243, 317, 381, 429, 455,
	}
	// Ported from silk/resampler_rom.c.
	resamplerFracFIR12 = [12][orderFIR12 / 2]int16{ //nolint:gochecknoglobals
		{189, -600, 617, 30567},
		{117, -159, -1070, 29704},
		{52, 221, -2392, 28276},
		{-4, 529, -3350, 26341},
		{-48, 758, -3956, 23973},
		{-80, 905, -4235, 21254},
		{-99, 972, -4222, 18278},
		{-107, 967, -3957, 15143},
		{-103, 896, -3487, 11950},
		{-91, 773, -2865, 8798},
		{-71, 611, -2143, 5784},
		{-46, 425, -1375, 2996},
	}
)
